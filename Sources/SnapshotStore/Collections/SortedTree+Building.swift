/// Building a tree from sorted elements.
extension SortedTree {
  /// Builds a tree from keys in strictly ascending order. O(n), with full leaves.
  @inlinable
  package init(sortedKeys keys: [Key], values: [Value]) {
    precondition(keys.count == values.count)
    self.init(count: keys.count) { (keys[$0], values[$0]) }
  }

  /// Builds a tree from elements in strictly ascending order of their keys. O(n), with full leaves.
  ///
  /// - Parameter threads: the most threads that make leaves. They call `element` at the same time.
  @inlinable
  package init(count: Int, threads: Int = 1, element: (Int) -> (Key, Value)) {
    guard count > 0 else {
      self.init()
      return
    }
    let leaves = Self.chunks(of: count, capacity: Node.leafCapacity)
    var level = Parallel.map(over: leaves.count, atLeast: 64, threads: threads) { part in
      Self.leaves(leaves[part], element)
    }.flatMap { $0 }
    while level.count > 1 {
      level = Self.chunks(of: level.count, capacity: Node.innerCapacity).map { range in
        let children = level[range]
        let node = Node.inner(separators: children.dropFirst().map(\.first), children: children.map(\.node))
        return (level[range.lowerBound].first, node)
      }
    }
    self.init(root: level[0].node, count: count)
  }

  /// Leaves with the elements in some ranges, each with its first key.
  @inlinable
  static func leaves(
    _ ranges: ArraySlice<Range<Int>>, _ element: (Int) -> (Key, Value)
  ) -> [(first: Key, node: Node)] {
    ranges.map { range in
      let node = Node.make(isLeaf: true)
      let contents = node.contents
      for index in range {
        let (key, value) = element(index)
        (contents.keys + contents.count).initialize(to: key)
        (contents.values + contents.count).initialize(to: value)
        contents.count += 1
      }
      return (contents.keys[0], node)
    }
  }

  /// Divides 0..<count into runs of at most a node's capacity. The last two runs have equal size, so that none is tiny.
  @inlinable
  static func chunks(of count: Int, capacity: Int) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    while start < count {
      let rest = count - start
      let length = rest <= capacity ? rest : rest < 2 * capacity ? (rest + 1) / 2 : capacity
      ranges.append(start..<start + length)
      start += length
    }
    return ranges
  }
}

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
