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
