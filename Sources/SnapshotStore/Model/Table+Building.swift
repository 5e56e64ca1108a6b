extension Table {
  /// Builds a table from records in any order. O(n log n), and O(n) but for the indexes if they are sorted already.
  ///
  /// - Throws: ``SnapshotError`` with code `duplicate` if two records have one id, `uniqueKeyTaken`, or `invalidValue` for
  ///   an id that is not equal to itself.
  public init(_ records: some Sequence<Value>) throws(SnapshotError) {
    var boxes = records.map(RecordBox.init)
    guard boxes.allSatisfy({ $0.record.id == $0.record.id }) else {
      throw SnapshotError(.invalidValue, "an id that is not equal to itself")
    }
    let isSorted = zip(boxes, boxes.dropFirst()).allSatisfy { $0.record.id < $1.record.id }
    if !isSorted {
      boxes.sort { $0.record.id < $1.record.id }
      if let (first, _) = zip(boxes, boxes.dropFirst()).first(where: { $0.record.id == $1.record.id }) {
        throw SnapshotError(.duplicate, "two records of type \(Value.self) have the id \(Self.name(first.record.id))")
      }
    }
    self.init()
    tree = SortedTree(sortedKeys: boxes.map(\.record.id), values: boxes)
    for position in indexes.indices {
      if let (a, b) = indexes[position].build(from: self) {
        throw Self.conflict(indexes[position].name, a, b)
      }
    }
  }
}

extension Table {
  package init(sortedBoxes boxes: [RecordBox<Value>], threads: Int = 1) throws(SnapshotError) {
    try self.init(boxes.map(\.record))
  }

  package func forEachLeaf<Failure: Error>(
    _ body: (_ leaf: AnyObject, _ records: UnsafeBufferPointer<RecordBox<Value>>) throws(Failure) -> Void
  ) throws(Failure) {
    try tree.forEachLeaf(body)
  }
}
