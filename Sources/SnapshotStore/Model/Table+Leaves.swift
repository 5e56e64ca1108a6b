extension Table {
  /// Calls `body` with the records of every leaf of the table's tree, in order; see `SortedTree.forEachLeaf`.
  @inlinable
  package func forEachLeaf<E: Error>(
    _ body: (_ leaf: AnyObject, _ boxes: UnsafeBufferPointer<RecordBox<Value>>) throws(E) -> Void
  ) throws(E) {
    try tree.forEachLeaf(body)
  }
}
