/// Positions of keys: the number of elements before a key.
extension SortedTree {
  /// The number of keys before a key. The key need not be in the tree. O(log n).
  @inlinable
  package func rank(of key: Key) -> Int {
    rank { $0 < key }
  }

  /// The number of keys for which a test is true. The test must be true for a prefix of all keys only. O(log n).
  @inlinable
  package func rank(isBelow: (Key) -> Bool) -> Int {
    withExtendedLifetime(root) {
      var node = root.contents
      var result = 0
      while !node.isLeaf {
        let child = node.firstIndex { !isBelow($0) }
        for index in 0..<child { result += node.children[index].contents.size }
        node = node.children[child].contents
      }
      return result + node.firstIndex { !isBelow($0) }
    }
  }

  /// The element at a position: `rank` is the number of keys before it, and must be less than `count`. O(log n).
  @inlinable
  package func element(at rank: Int) -> (key: Key, value: Value) {
    precondition(rank >= 0 && rank < count)
    return withExtendedLifetime(root) {
      var node = root.contents
      var rest = rank
      while !node.isLeaf {
        var child = 0
        while rest >= node.children[child].contents.size {
          rest -= node.children[child].contents.size
          child += 1
        }
        node = node.children[child].contents
      }
      return (node.keys[rest], node.values[rest])
    }
  }
}
