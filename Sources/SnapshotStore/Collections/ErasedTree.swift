/// A tree whose types only those know who made it, so that trees of many types can stand in one array.
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

  /// The tree; nil if it is of another type.
  @inlinable
  package func tree<Key, Value>(as type: SortedTree<Key, Value>.Type) -> SortedTree<Key, Value>? {
    (root as? SortedTree<Key, Value>.Node).map { SortedTree(root: $0, count: count) }
  }

  /// The tree, which must be of this type.
  @inlinable
  package func knownTree<Key, Value>(as type: SortedTree<Key, Value>.Type) -> SortedTree<Key, Value> {
    SortedTree(root: unsafeDowncast(root!, to: SortedTree<Key, Value>.Node.self), count: count)
  }

  /// Changes the tree, which must be of this type, in place.
  @inlinable
  package mutating func change<Key, Value>(
    as type: SortedTree<Key, Value>.Type, _ body: (inout SortedTree<Key, Value>) -> Void
  ) {
    var tree = knownTree(as: type)
    // Let go of, so that the tree is its nodes' one owner and need not copy them.
    root = nil
    body(&tree)
    self = ErasedTree(tree)
  }
}
