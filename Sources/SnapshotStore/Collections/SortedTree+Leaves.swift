/// Access to leaves, for callers that cache results per leaf.
extension SortedTree {
  /// Calls `body` with every leaf that is not empty, in the order of the keys.
  ///
  /// `leaf` is the node itself. Its content cannot change while the caller holds it or a tree with it. So results can
  /// be cached under its identity. `values` may be read while this tree or the leaf is held.
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
