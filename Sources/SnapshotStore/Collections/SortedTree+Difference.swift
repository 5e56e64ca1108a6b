extension SortedTree {
  /// Reports every key whose value is not the same in both trees, in ascending order.
  ///
  /// Nodes that both trees share are skipped whole, so trees that differ in k elements because one was made from the
  /// other are compared in O(k · log n). `areSame` is asked only about pairs in leaves that are not shared.
  @inlinable
  package func forEachDifference(
    from old: SortedTree,
    areSame: (Value, Value) -> Bool,
    _ body: (_ key: Key, _ old: Value?, _ new: Value?) throws -> Void
  ) rethrows {
    var olds = Frontier(old.root)
    var news = Frontier(root)
    while true {
      Frontier.skipShared(&olds, &news)
      switch (olds.current, news.current) {
      case (nil, nil): return
      case (let old?, nil):
        try body(old.key, old.value, nil)
        olds.advance()
      case (nil, let new?):
        try body(new.key, nil, new.value)
        news.advance()
      case (let old?, let new?):
        if old.key < new.key {
          try body(old.key, old.value, nil)
          olds.advance()
        } else if new.key < old.key {
          try body(new.key, nil, new.value)
          news.advance()
        } else {
          if !areSame(old.value, new.value) { try body(new.key, old.value, new.value) }
          olds.advance()
          news.advance()
        }
      }
    }
  }
}

/// What is left to visit of a tree: a stack of subtrees, the next one last, and a position in that one if it is a leaf.
@usableFromInline
struct Frontier<Key: Comparable & Sendable, Value: Sendable> {
  @usableFromInline typealias Node = SortedTree<Key, Value>.Node
  @usableFromInline var pending: [(node: Node, height: Int)]
  @usableFromInline var index = 0

  @inlinable
  init(_ root: Node) {
    var height = 0
    var node = root
    while !node.contents.isLeaf {
      node = node.contents.children[0]
      height += 1
    }
    pending = [(root, height)]
    dropEmptyLeaf()
  }

  /// The next element, once `skipShared` has brought a leaf to the top.
  @inlinable
  var current: (key: Key, value: Value)? {
    pending.last.map { ($0.node.contents.keys[index], $0.node.contents.values[index]) }
  }

  @inlinable
  mutating func advance() {
    index += 1
    guard let top = pending.last, index == top.node.contents.count else { return }
    drop()
  }

  /// Skips the subtrees that both sides are about to enter, and opens the others down to leaves, the taller side
  /// first, so that shared nodes meet at the same height.
  @inlinable
  static func skipShared(_ a: inout Frontier, _ b: inout Frontier) {
    while true {
      guard let topA = a.pending.last, let topB = b.pending.last else {
        a.openToLeaf()
        b.openToLeaf()
        return
      }
      if topA.node === topB.node, a.index == b.index {
        a.drop()
        b.drop()
      } else if topA.height == 0, topB.height == 0 {
        return
      } else {
        if topA.height >= topB.height { a.open() }
        if topB.height >= topA.height { b.open() }
      }
    }
  }

  @inlinable
  mutating func openToLeaf() {
    while let top = pending.last, top.height > 0 { open() }
  }

  @inlinable
  mutating func open() {
    let (node, height) = pending.removeLast()
    for child in node.contents.allChildren.reversed() { pending.append((child, height - 1)) }
  }

  @inlinable
  mutating func drop() {
    pending.removeLast()
    index = 0
  }

  /// Only the root of an empty tree is an empty leaf.
  @inlinable
  mutating func dropEmptyLeaf() {
    if let top = pending.last, top.node.contents.count == 0 { drop() }
  }
}
