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

/// Lookups of several keys together.
extension SortedTree {
  /// Calls `body` with the place of the value of each key, in the order given; with nil for a key without a value. The
  /// cost is O(log n) for each.
  ///
  /// All keys go down level by level, and the nodes of a level are fetched from the memory at the same time. So the
  /// processor waits once for each level, not once for each node. Pass some dozens of keys, so that their nodes fit
  /// into its cache.
  @inlinable
  func withPositions(of keys: ArraySlice<Key>, _ body: (UnsafeMutablePointer<Value>?) -> Void) {
    withExtendedLifetime(root) {
      var nodes = Array(repeating: root.contents, count: keys.count)
      while let first = nodes.first, !first.isLeaf {
        for (position, key) in zip(nodes.indices, keys) {
          nodes[position] = nodes[position].children[nodes[position].childIndex(for: key)].contents
        }
        Self.fetch(nodes)
      }
      for (node, key) in zip(nodes, keys) {
        let index = node.lowerBound(of: key)
        body(index < node.count && node.keys[index] == key ? node.values + index : nil)
      }
    }
  }

  /// Reads a word of each cache line of the keys of nodes; see `fetchObjects`. The nodes are of one level.
  @inlinable
  static func fetch(_ nodes: [NodeContents<Key, Value>]) {
    guard let first = nodes.first else { return }
    let size = (first.isLeaf ? Node.leafCapacity : Node.innerCapacity) * MemoryLayout<Key>.stride
    var words = 0
    for node in nodes {
      words |= Int(bitPattern: node.header.pointee.othersStart)
      for offset in stride(from: 0, to: size, by: 64) {
        words |= Int((UnsafeRawPointer(node.keys) + offset).load(as: UInt8.self))
      }
    }
    // Always true, because an address is not 0.
    precondition(words != 0)
  }
}

/// The number of elements in a range.
extension SortedTree {
  /// The number of keys in the range that two tests describe. Counts a leaf that is entirely inside in one step: O(log
  /// n + count / 32).
  @inlinable
  package func count(isBelow: (Key) -> Bool, isAbove: (Key) -> Bool) -> Int {
    var cursor = Cursor(self, firstWhereNot: isBelow)
    var result = 0
    while true {
      let leaf = cursor.leaf.contents
      // Past the last leaf the position stays behind its end.
      guard cursor.index < leaf.count else { return result }
      let end = leaf.firstIndex(where: isAbove)
      result += Swift.max(0, end - cursor.index)
      guard end == leaf.count else { return result }
      cursor.index = end
      cursor.enterNextLeaf()
    }
  }
}

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

/// The invariants of a tree, checked at the end of tests.
extension SortedTree {
  /// Everything that is wrong with the structure, in words. Empty for every tree that this code made. O(n).
  @inlinable
  package func invariantViolations() -> [String] {
    var violations: [String] = []
    var seen = 0
    var leafDepth: Int?

    func visit(_ node: Node, depth: Int, lower: Key?, upper: Key?) {
      let contents = node.contents
      let keys = contents.allKeys
      if contents.fill > (contents.isLeaf ? Node.leafCapacity : Node.innerCapacity) {
        violations.append("a node of \(contents.fill) at depth \(depth)")
      }
      for (key, next) in zip(keys, keys.dropFirst()) where !(key < next) {
        violations.append("keys out of order: \(key), \(next)")
      }
      if let lower, let first = keys.first, first < lower { violations.append("\(first) left of \(lower)") }
      if let upper, let last = keys.last, !(last < upper) { violations.append("\(last) right of \(upper)") }
      if contents.isLeaf {
        visitLeaf(keys.count, depth: depth)
      } else {
        let below = contents.allChildren.reduce(0) { $0 + $1.contents.size }
        if contents.below != below {
          violations.append("a node that counts \(contents.below.counted("element")) of \(below)")
        }
        if contents.fill < 2 { violations.append("an inner node of \(contents.fill) children at depth \(depth)") }
        for (index, child) in contents.allChildren.enumerated() {
          visit(
            child, depth: depth + 1, lower: index > 0 ? keys[index - 1] : lower,
            upper: index < keys.count ? keys[index] : upper)
        }
      }
    }

    func visitLeaf(_ count: Int, depth: Int) {
      seen += count
      if count == 0, depth > 0 { violations.append("an empty leaf at depth \(depth)") }
      if let leafDepth, leafDepth != depth { violations.append("leaves at depths \(leafDepth) and \(depth)") }
      leafDepth = depth
    }

    visit(root, depth: 0, lower: nil, upper: nil)
    if seen != count { violations.append("count is \(count), but there is a total of \(seen)") }
    return violations
  }
}
