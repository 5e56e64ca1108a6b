import Testing

@testable import SnapshotStore

/// Trees that were made from each other are compared without looking at what they share: that is what makes change
/// sets, live queries and undo cheap, so the number of comparisons is counted here.
struct SortedTreeSharingTests {
  typealias Tree = SortedTree<Int, Int>

  static let size = 10_000
  static let built = Tree(sortedKeys: Array(0..<size).map { $0 * 2 }, values: Array(0..<size))

  /// A change looks at one leaf; a removal may join it with its sibling.
  static let comparisonsPerChange = 2 * Tree.Node.leafCapacity

  @Test func aCopyIsNotLookedAt() {
    #expect(Self.comparisons(Self.built, Self.built) == 0)
  }

  @Test(arguments: [0, 31, 32, 4_999, 9_968, 9_999])
  func oneReplacementLooksAtOneLeaf(position: Int) {
    var tree = Self.built
    tree.updateValue(-1, forKey: position * 2)
    #expect(Self.comparisons(Self.built, tree) <= Tree.Node.leafCapacity)
    #expect(Self.comparisons(tree, Self.built) <= Tree.Node.leafCapacity)
    #expect(tree.invariantViolations() == [])
  }

  /// The leaves of a built tree are full, so this insertion divides one, and shifts all that come after it.
  @Test(arguments: [0, 31, 32, 4_999, 9_999])
  func oneInsertionLooksAtOneLeaf(position: Int) {
    var tree = Self.built
    tree.updateValue(-1, forKey: position * 2 + 1)
    #expect(Self.comparisons(Self.built, tree) <= Self.comparisonsPerChange)
    #expect(Self.comparisons(tree, Self.built) <= Self.comparisonsPerChange)
    #expect(tree.invariantViolations() == [])
  }

  @Test func removalsThatJoinLeavesLookAtThoseOnly() {
    var tree = Self.built
    let removed = 5_000..<5_080
    for position in removed { tree.removeValue(forKey: position * 2) }
    #expect(Self.comparisons(Self.built, tree) <= 2 * Self.comparisonsPerChange)
    #expect(Self.comparisons(tree, Self.built) <= 2 * Self.comparisonsPerChange)
    #expect(tree.invariantViolations() == [])
  }

  /// Growth by a level must not make everything look new.
  @Test func aNewRootHidesNothing() {
    let size = Tree.Node.leafCapacity * Tree.Node.innerCapacity
    let full = Tree(sortedKeys: Array(0..<size), values: Array(0..<size))
    var taller = full
    taller.updateValue(-1, forKey: size)
    var height = 0
    var node = taller.root
    while !node.contents.isLeaf {
      node = node.contents.children[0]
      height += 1
    }
    #expect(height == 2, "the test means to compare trees of different heights")
    #expect(Self.comparisons(full, taller) <= Self.comparisonsPerChange)
    #expect(Self.comparisons(taller, full) <= Self.comparisonsPerChange)
    #expect(taller.invariantViolations() == [])
  }

  @Test(arguments: SeededGenerator.seeds(10), [1, 10, 100])
  func comparisonsGrowWithTheChangesOnly(seed: UInt64, changes: Int) {
    var random = SeededGenerator(seed: seed)
    var tree = Self.built
    for _ in 0..<changes {
      let key = Int.random(in: 0..<Self.size * 2, using: &random)
      if Bool.random(using: &random) { tree.removeValue(forKey: key) } else { tree.updateValue(-1, forKey: key) }
    }
    #expect(Self.comparisons(Self.built, tree) <= changes * Self.comparisonsPerChange)
    #expect(Self.comparisons(tree, Self.built) <= changes * Self.comparisonsPerChange)
    #expect(tree.invariantViolations() == [])
  }

  private static func comparisons(_ old: Tree, _ new: Tree) -> Int {
    var count = 0
    let areSame = { (a: Int, b: Int) in
      count += 1
      return a == b
    }
    new.forEachDifference(from: old, areSame: areSame) { _, _, _ in }
    return count
  }
}
