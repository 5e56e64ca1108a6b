extension SortedTree {
  /// Everything that is wrong with the structure, in words; empty for every tree that this code made. O(n).
  package func invariantViolations() -> [String] {
    var violations: [String] = []
    var seen = 0
    var leafDepth: Int?

    func visit(_ node: Node, depth: Int, lower: Key?, upper: Key?) {
      if node.fill > Node.capacity { violations.append("a node of \(node.fill) at depth \(depth)") }
      for (key, next) in zip(node.keys, node.keys.dropFirst()) where !(key < next) {
        violations.append("keys out of order: \(key), \(next)")
      }
      if let lower, let first = node.keys.first, first < lower { violations.append("\(first) left of \(lower)") }
      if let upper, let last = node.keys.last, !(last < upper) { violations.append("\(last) right of \(upper)") }
      if node.isLeaf {
        visitLeaf(node, depth: depth)
      } else {
        if node.children.count < 2 || node.keys.count != node.children.count - 1 || !node.values.isEmpty {
          violations.append("an inner node of \(node.children.count) children and \(node.keys.count) separators")
        }
        for (index, child) in node.children.enumerated() {
          visit(
            child, depth: depth + 1, lower: index > 0 ? node.keys[index - 1] : lower,
            upper: index < node.keys.count ? node.keys[index] : upper)
        }
      }
    }

    func visitLeaf(_ leaf: Node, depth: Int) {
      seen += leaf.keys.count
      if leaf.keys.count != leaf.values.count {
        violations.append("\(leaf.keys.count) keys, \(leaf.values.count) values")
      }
      if leaf.keys.isEmpty, depth > 0 { violations.append("an empty leaf at depth \(depth)") }
      if let leafDepth, leafDepth != depth { violations.append("leaves at depths \(leafDepth) and \(depth)") }
      leafDepth = depth
    }

    visit(root, depth: 0, lower: nil, upper: nil)
    if seen != count { violations.append("count is \(count), but there are \(seen) elements") }
    return violations
  }
}
