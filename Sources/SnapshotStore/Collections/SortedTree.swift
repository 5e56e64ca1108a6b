/// A persistent map, sorted by key: a copy-on-write B+ tree.
///
/// Copying a tree is O(1) and shares every node. A change copies only the path from the root to one leaf, and only the
/// nodes on it that some other tree still holds; a tree that is held once is changed in place. Elements live in the
/// leaves, so that two trees can be compared by skipping the nodes they share (`SortedTree+Difference.swift`).
///
/// Costs: lookup, insertion and removal O(log n); building from sorted input O(n); iteration O(1) per element.
/// Keys must be totally ordered: a key that is not equal to itself (a NaN) must not be inserted.
package struct SortedTree<Key: Comparable & Sendable, Value: Sendable>: Sendable {
  var root: Node
  package private(set) var count: Int

  package init() {
    root = Node(keys: [], values: [])
    count = 0
  }

  init(root: Node, count: Int) {
    self.root = root
    self.count = count
  }

  package var isEmpty: Bool { count == 0 }

  /// Whether both trees are the same nodes in memory: O(1), and never true of trees that differ.
  package func isIdentical(to other: SortedTree) -> Bool { root === other.root }

  package subscript(key: Key) -> Value? {
    var node = root
    while !node.isLeaf {
      node = node.children[node.childIndex(for: key)]
    }
    let index = node.lowerBound(of: key)
    guard index < node.keys.count, node.keys[index] == key else { return nil }
    return node.values[index]
  }

  /// Sets the value for a key and returns the one it replaced.
  @discardableResult
  package mutating func updateValue(_ value: Value, forKey key: Key) -> Value? {
    if !isKnownUniquelyReferenced(&root) { root = root.copy() }
    let (old, split) = root.update(key, value)
    if let split {
      root = Node(keys: [split.separator], children: [root, split.right])
    }
    if old == nil { count += 1 }
    return old
  }

  /// Removes a key and returns its value; a key that is not there changes nothing, not even the identity.
  @discardableResult
  package mutating func removeValue(forKey key: Key) -> Value? {
    guard self[key] != nil else { return nil }
    if !isKnownUniquelyReferenced(&root) { root = root.copy() }
    let old = root.remove(key)
    while root.children.count == 1 {
      root = root.children[0]
    }
    count -= 1
    return old
  }
}
