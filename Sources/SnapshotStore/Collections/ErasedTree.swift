/// A tree without its types, so that trees of several types fit into one array. The maker of the tree knows its types.
@usableFromInline
package struct ErasedTree: @unchecked Sendable {
  // Unchecked for the same reason as the tree itself.
  @usableFromInline var root: AnyObject?
  @usableFromInline var count: Int

  @inlinable
  package init<Key, Value>(_ tree: SortedTree<Key, Value>) {
    root = tree.root
    count = tree.count
  }

  /// The tree; nil if it has another type.
  @inlinable
  package func tree<Key, Value>(as type: SortedTree<Key, Value>.Type) -> SortedTree<Key, Value>? {
    (root as? SortedTree<Key, Value>.Node).map { SortedTree(root: $0, count: count) }
  }

  /// The tree, which must have this type.
  @inlinable
  package func knownTree<Key, Value>(as type: SortedTree<Key, Value>.Type) -> SortedTree<Key, Value> {
    SortedTree(root: unsafeDowncast(root!, to: SortedTree<Key, Value>.Node.self), count: count)
  }

  /// Changes the tree in place. It must have this type.
  @inlinable
  package mutating func change<Key, Value>(
    as type: SortedTree<Key, Value>.Type, _ body: (inout SortedTree<Key, Value>) -> Void
  ) {
    var tree = knownTree(as: type)
    // Releases this reference, so that the local tree is the nodes' only owner and need not copy them.
    root = nil
    body(&tree)
    self = ErasedTree(tree)
  }
}
