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
