extension SortedTree {
  /// Calls `body` for every leaf in order of its keys, with its node and its values.
  ///
  /// The identity of the node says that the leaf is the same, as long as some tree holds it. The values may be read as
  /// long as this tree is held.
  package func forEachLeaf<Failure: Error>(
    _ body: (_ leaf: AnyObject, _ values: UnsafeBufferPointer<Value>) throws(Failure) -> Void
  ) throws(Failure) {
    func visit(_ node: Node) throws(Failure) {
      if node.isLeaf {
        let buffer = node.values.withUnsafeBufferPointer { $0 }
        if !buffer.isEmpty { try body(node, buffer) }
      } else {
        for child in node.children { try visit(child) }
      }
    }
    try visit(root)
  }
}
