/// Builds a table from records, and its indexes on several threads.
extension Table {
  /// Builds a table from records in any order. O(n log n); for sorted records O(n) plus the indexes.
  ///
  /// - Throws: ``SnapshotError`` with code `duplicate` if two records have the same id, `uniqueKeyTaken`, or
  ///   `invalidValue` for an id that is not equal to itself.
  @inlinable
  public init(_ records: some Sequence<Value>) throws(SnapshotError) {
    try self.init(sortedBoxes: records.map { RecordBox($0) })
  }

  /// Builds a table from boxes. Unsorted ones are sorted first; those of a file are sorted. The table keeps the boxes.
  ///
  /// - Parameters:
  ///   - threads: the most threads that build the indexes of a large table.
  ///   - defersIndexes: whether to build the indexes of a large table when they are needed.
  /// - Throws: the errors of `init(_:)`.
  @inlinable
  package init(sortedBoxes boxes: [Box], threads: Int = 1, defersIndexes: Bool = false) throws(SnapshotError) {
    var boxes = boxes
    try Self.sort(&boxes)
    try self.init(ascendingBoxes: boxes, threads: threads, defersIndexes: defersIndexes)
  }

  /// The same from boxes whose ids are known to ascend.
  @inlinable
  init(ascendingBoxes boxes: [Box], threads: Int, defersIndexes: Bool) throws(SnapshotError) {
    self.init()
    let isSmall = boxes.count < 4_096
    tree = SortedTree(count: boxes.count, threads: isSmall ? 1 : threads) { (boxes[$0].record.id, boxes[$0]) }
    if defersIndexes, !isSmall { deferIndexes(of: boxes) }
    if let (index, conflict) = buildIndexes(from: boxes, threads: isSmall ? 1 : threads) {
      throw Self.refusal(by: index, conflict)
    }
  }

  @inlinable
  static func sort(_ boxes: inout [RecordBox<Value>]) throws(SnapshotError) {
    var isSorted = true
    for position in boxes.indices {
      let id = boxes[position].record.id
      guard id == id else { throw SnapshotError(.invalidValue, "an id that is not equal to itself") }
      isSorted = isSorted && (position == 0 || boxes[position - 1].record.id < id)
    }
    if isSorted { return }
    boxes.sort { $0.record.id < $1.record.id }
    if let (a, b) = zip(boxes, boxes.dropFirst()).first(where: { $0.record.id == $1.record.id }) {
      throw Self.duplicate(a.record.id, b.record.id)
    }
  }

  /// Builds all indexes but deferred ones. If one forbids it, returns its name and a key of two records.
  @usableFromInline
  mutating func buildIndexes(
    from boxes: [RecordBox<Value>], threads: Int
  ) -> (String, IndexMaintainer<Value>.Conflict)? {
    let positions = indexes.indices.filter { indexes[$0].deferred == nil }
    let maintainers = positions.map { indexes[$0].maintainer }
    let results = Parallel.map(maintainers.count, threads: threads) { maintainers[$0].build(boxes) }
    for (position, result) in zip(positions, results) {
      if let conflict = result.conflict { return (indexes[position].maintainer.name, conflict) }
      indexes[position].entries = result.entries
    }
    return nil
  }
}
