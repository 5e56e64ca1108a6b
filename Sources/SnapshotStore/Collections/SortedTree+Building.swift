extension SortedTree {
  /// Builds a tree from keys in strictly ascending order. O(n), with full leaves.
  package init(sortedKeys keys: [Key], values: [Value]) {
    precondition(keys.count == values.count, "as many values as keys")
    guard !keys.isEmpty else {
      self.init()
      return
    }
    var level: [(first: Key, node: Node)] = Self.chunks(of: keys.count).map { range in
      (keys[range.lowerBound], Node(keys: Array(keys[range]), values: Array(values[range])))
    }
    while level.count > 1 {
      level = Self.chunks(of: level.count).map { range in
        let children = level[range]
        return (children.first!.first, Node(keys: children.dropFirst().map(\.first), children: children.map(\.node)))
      }
    }
    self.init(root: level[0].node, count: keys.count)
  }

  /// Divides 0..<count into runs of at most a node's capacity; the last two share evenly, so that none is tiny.
  private static func chunks(of count: Int) -> [Range<Int>] {
    let capacity = Node.capacity
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
