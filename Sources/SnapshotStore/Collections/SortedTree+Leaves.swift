/// Leaves, for callers that keep what they made of them.
extension SortedTree {
  /// Calls `body` with every leaf that is not empty, in the order of the keys.
  ///
  /// `leaf` is the node itself: as long as anyone holds it, or a tree that it is in, its content cannot change, so that
  /// what was made of it can be kept under its identity. `values` may be read for as long as this tree, or the leaf, is held.
  @inlinable
  package func forEachLeaf<E: Error>(
    _ body: (_ leaf: AnyObject, _ values: UnsafeBufferPointer<Value>) throws(E) -> Void
  ) throws(E) {
    try Self.visitLeaves(root, body)
  }

  @inlinable
  static func visitLeaves<E: Error>(
    _ node: Node, _ body: (_ leaf: AnyObject, _ values: UnsafeBufferPointer<Value>) throws(E) -> Void
  ) throws(E) {
    let contents = node.contents
    if !contents.isLeaf {
      for index in 0..<contents.fill { try visitLeaves(contents.children[index], body) }
    } else if contents.count > 0 {
      try body(node, UnsafeBufferPointer(start: contents.values, count: contents.count))
    }
  }
}
