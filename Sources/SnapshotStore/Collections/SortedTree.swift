/// A persistent map, sorted by key: a copy-on-write B+ tree.
///
/// A copy of a tree is O(1) and shares every node. A change copies only nodes on the path from the root to one leaf,
/// and of these only nodes that another tree holds. A tree that is held once is changed in place. Elements are in the
/// leaves. So a comparison of two trees can skip the nodes that both share (`SortedTree+Difference.swift`).
///
/// Costs: lookup, insertion and removal O(log n); building from sorted input O(n); iteration O(1) per element. Keys
/// must be totally ordered. A key that is not equal to itself (a NaN) must not be inserted.
///
/// All of it is inlinable: a tree of another module's type must be specialised in that module (decision 0012).
@usableFromInline
package struct SortedTree<Key: Comparable & Sendable, Value: Sendable>: @unchecked Sendable {
  // `@unchecked` because of the nodes. A node that several trees hold is never changed; see `Node`.
  @usableFromInline var root: Node
  @usableFromInline package var count: Int

  @inlinable
  package init() {
    self.init(root: Node.make(isLeaf: true), count: 0)
  }

  @inlinable
  init(root: Node, count: Int) {
    self.root = root
    self.count = count
  }

  @inlinable
  package var isEmpty: Bool { count == 0 }

  /// Whether both trees are the same node in memory. O(1), and never true of trees that differ.
  @inlinable
  package func isIdentical(to other: SortedTree) -> Bool { root === other.root }

  @inlinable
  package subscript(key: Key) -> Value? {
    withPosition(of: key) { values, index in values[index] }
  }

  @inlinable
  package func contains(_ key: Key) -> Bool {
    withPosition(of: key) { _, _ in true } ?? false
  }

  /// Calls `body` with the place of a key's value, if the tree has the key.
  ///
  /// The way down uses bare pointers and counts no references. The root keeps all nodes alive.
  @inlinable
  @inline(__always)
  func withPosition<Result>(
    of key: Key, _ body: (_ values: UnsafeMutablePointer<Value>, _ index: Int) -> Result
  ) -> Result? {
    withExtendedLifetime(root) {
      var node = root.contents
      while !node.isLeaf {
        node = node.children[node.childIndex(for: key)].contents
      }
      let index = node.lowerBound(of: key)
      guard index < node.count, node.keys[index] == key else { return nil }
      return body(node.values, index)
    }
  }

  /// Sets the value for a key and returns the one it replaced.
  @inlinable
  @discardableResult
  package mutating func updateValue(_ value: Value, forKey key: Key) -> Value? {
    makeRootUnique()
    let (old, split) = root.update(key, value)
    if let split {
      root = Node.inner(separators: [split.separator], children: [root, split.right])
    }
    if old == nil { count += 1 }
    return old
  }

  /// Removes a key and returns its value. A missing key changes nothing: the tree stays identical.
  @inlinable
  @discardableResult
  package mutating func removeValue(forKey key: Key) -> Value? {
    guard contains(key) else { return nil }
    makeRootUnique()
    guard let old = root.remove(key) else { return nil }
    while !root.contents.isLeaf, root.contents.count == 0 {
      root = root.contents.children[0]
    }
    count -= 1
    return old
  }

  @inlinable
  mutating func makeRootUnique() {
    if !isKnownUniquelyReferenced(&root) { root = root.copy() }
  }
}
