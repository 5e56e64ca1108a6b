import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Trees that are built at once, in order, and emptied again.
struct SortedTreeBuildingTests {
  typealias Tree = SortedTree<Int, String>

  /// These sizes include every number of nodes, and every remainder of a level's last node.
  static let sizes = Array(0...200) + [1_023, 1_024, 1_025, 1_056, 1_057, 10_000, 32_767, 32_768, 32_769, 50_000]

  @Test func builtFromSortedKeysHoldsThem() {
    for size in Self.sizes {
      // Only even keys, so that a key is missing between any two.
      let tree = Self.evenTree(size)
      #expect(tree.invariantViolations() == [], "\(size) keys")
      #expect(tree.count == size)
      #expect(tree.elements.map(\.key).elementsEqual((0..<size).map { $0 * 2 }), "\(size) keys")
      let wrong = (0..<size).first { tree[$0 * 2] != "\($0 * 2)" || tree[$0 * 2 + 1] != nil }
      #expect(wrong == nil, "\(size) keys")
      #expect(tree[-1] == nil)
    }
  }

  /// Nodes of the smallest size that building makes must still be split, merged and emptied correctly.
  @Test func builtTreesCanBeChanged() {
    each([1, 32, 33, 64, 65, 200, 1_025, 10_000]) { (size: Int) in
      let built = Self.evenTree(size)
      var grown = built
      for key in stride(from: 1, to: size * 2, by: 2) { grown.updateValue("new", forKey: key) }
      #expect(grown.count == size * 2)
      #expect(grown.invariantViolations() == [])

      var shrunk = built
      for key in stride(from: 0, to: size * 2, by: 4) { shrunk.removeValue(forKey: key) }
      #expect(shrunk.elements.map(\.key) == Array(stride(from: 2, to: size * 2, by: 4)))
      #expect(shrunk.invariantViolations() == [])
      #expect(built.count == size)
      #expect(built.invariantViolations() == [])
    }
  }

  @Test(arguments: [33, 1_000, 40_000])
  func insertionInOrder(size: Int) {
    var ascending = Tree()
    var descending = Tree()
    for key in 0..<size {
      ascending.updateValue("\(key)", forKey: key)
      descending.updateValue("\(key)", forKey: size - 1 - key)
    }
    #expect(ascending.invariantViolations() == [])
    #expect(descending.invariantViolations() == [])
    #expect(ascending.elements.map(\.key) == Array(0..<size))
    #expect(descending.elements.map(\.key) == Array(0..<size))
  }

  /// Files are read in order of ids: leaves that stayed half full would cost twice the memory.
  @Test func ascendingInsertionFillsItsLeaves() {
    var tree = Tree()
    for key in 0..<3_200 { tree.updateValue("", forKey: key) }
    var leaves = 0
    func visit(_ node: Tree.Node) {
      if node.contents.isLeaf { leaves += 1 } else { node.contents.allChildren.forEach(visit) }
    }
    visit(tree.root)
    #expect(leaves == 3_200 / Tree.Node.leafCapacity)
  }

  enum Order: CaseIterable { case ascending, descending, outsideIn, insideOut }

  @Test func emptying() {
    each(Order.allCases, [1, 32, 33, 500, 5_000]) { (order: Order, size: Int) in
      var tree = Self.evenTree(size)
      let copy = tree
      let rank = { (key: Int) in abs(key * 2 - size) }
      let keys: [Int] =
        switch order {
        case .ascending: Array(0..<size)
        case .descending: Array((0..<size).reversed())
        case .outsideIn: (0..<size).sorted { rank($0) > rank($1) }
        case .insideOut: (0..<size).sorted { rank($0) < rank($1) }
        }
      for (step, key) in keys.enumerated() {
        #expect(tree.removeValue(forKey: key * 2) == "\(key * 2)")
        if step % 97 == 0 { #expect(tree.invariantViolations() == []) }
      }
      #expect(tree.isEmpty)
      #expect(tree.elements.map(\.key) == [])
      #expect(tree.invariantViolations() == [])

      // An emptied tree is as good as a new one.
      tree.updateValue("again", forKey: 7)
      #expect(tree[7] == "again")
      #expect(tree.invariantViolations() == [])
      #expect(copy.count == size)
      #expect(copy.invariantViolations() == [])
    }
  }

  private static func evenTree(_ size: Int) -> Tree {
    let keys = (0..<size).map { $0 * 2 }
    return Tree(sortedKeys: keys, values: keys.map(String.init))
  }
}
