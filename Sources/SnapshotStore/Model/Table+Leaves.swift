/// Access to records without copies, for file writers and for work on all records.
extension Table {
  /// Calls `body` with the records of every leaf of the table's tree, in order; see `SortedTree.forEachLeaf`.
  @inlinable
  package func forEachLeaf<E: Error>(
    _ body: (_ leaf: AnyObject, _ boxes: UnsafeBufferPointer<Box>) throws(E) -> Void
  ) throws(E) {
    try tree.forEachLeaf(body)
  }

  /// The box of the record with an id. The record is not copied. O(log n).
  ///
  /// As long as the record is not changed, its box is the same object in every version of the table.
  @inlinable
  public func box(_ id: ID) -> Box? { tree[id] }

  /// The boxes of the records with some ids, in the order given; nil for an id without a record. O(log n) for each.
  ///
  /// The processor fetches 64 records at a time from the memory. So records in no order of the ids, such as a page of a
  /// list by date, are found faster than one by one.
  @inlinable
  public func boxes(_ ids: [ID]) -> [Box?] {
    var boxes: [RecordBox<Value>?] = []
    boxes.reserveCapacity(ids.count)
    // Without counting references, because a count waits for its record.
    var found: [Unmanaged<RecordBox<Value>>?] = []
    var present: [Unmanaged<RecordBox<Value>>] = []
    for start in stride(from: 0, to: ids.count, by: 64) {
      tree.withPositions(of: ids[start..<Swift.min(start + 64, ids.count)]) { place in
        let box = place.map { Unmanaged<RecordBox<Value>>.passUnretained($0.pointee) }
        found.append(box)
        if let box { present.append(box) }
      }
      present.withUnsafeBufferPointer { present in
        present.withMemoryRebound(to: RecordBox<Value>.self) { $0.fetchObjects(size: RecordBox<Value>.size) }
      }
      for box in found { boxes.append(box?.takeUnretainedValue()) }
      found.removeAll(keepingCapacity: true)
      present.removeAll(keepingCapacity: true)
    }
    return boxes
  }

  /// The boxes of all records, in ascending order of their ids. O(n).
  @inlinable
  public var boxes: [Box] {
    var boxes: [RecordBox<Value>] = []
    boxes.reserveCapacity(count)
    forEachLeaf { _, leaf in boxes.append(contentsOf: leaf) }
    return boxes
  }

  /// The records that pass a test, in ascending order of their ids. Other records are not copied. O(n).
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
