/// Records that are not copied: for file writers, and for work on all of them.
extension Table {
  /// Calls `body` with the records of every leaf of the table's tree, in order; see `SortedTree.forEachLeaf`.
  @inlinable
  package func forEachLeaf<E: Error>(
    _ body: (_ leaf: AnyObject, _ boxes: UnsafeBufferPointer<RecordBox<Value>>) throws(E) -> Void
  ) throws(E) {
    try tree.forEachLeaf(body)
  }
}

extension Table {
  /// The record with an id as the table keeps it, so that it is not copied. O(log n).
  ///
  /// As long as the record is not changed, it is the same object in every version of the table.
  @inlinable
  public func box(_ id: ID) -> RecordBox<Value>? { tree[id] }

  /// All records as the table keeps them, in ascending order of their ids. O(n).
  @inlinable
  public var boxes: [RecordBox<Value>] {
    var boxes: [RecordBox<Value>] = []
    boxes.reserveCapacity(count)
    forEachLeaf { _, leaf in boxes.append(contentsOf: leaf) }
    return boxes
  }

  /// The records that pass a test, in ascending order of their ids. Only those are copied. O(n).
  @inlinable
  public func filter(_ isIncluded: (Value) throws -> Bool) rethrows -> [Value] {
    var leaves: [UnsafeBufferPointer<RecordBox<Value>>] = []
    forEachLeaf { _, boxes in leaves.append(boxes) }
    var result: [Value] = []
    try withExtendedLifetime(self) {
      for boxes in leaves {
        for box in boxes where try isIncluded(box.record) { result.append(box.record) }
      }
    }
    return result
  }
}
