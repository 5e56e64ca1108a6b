import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Comparing related trees does not look at shared nodes. That makes change sets, live queries and undo cheap. So these
/// tests count the steps, and the comparisons of values.
struct SortedTreeSharingTests {
  typealias Tree = SortedTree<Int, Int>

  static let size = 10_000
  static let built = Tree(sortedKeys: Array(0..<size).map { $0 * 2 }, values: Array(0..<size))

  /// Two steps for each of four levels. A removal may merge a leaf with its sibling.
  static let stepsPerChange = 16

  @Test func aCopyIsNotLookedAt() {
    #expect(Self.steps(Self.built, Self.built) == 0)
  }

  @Test func oneReplacementLooksAtOneLeaf() {
    each([0, 31, 32, 4_999, 9_968, 9_999]) { (position: Int) in
      var tree = Self.built
      tree.updateValue(-1, forKey: position * 2)
      #expect(Self.steps(Self.built, tree) <= Self.stepsPerChange)
      #expect(Self.steps(tree, Self.built) <= Self.stepsPerChange)
      #expect(tree.invariantViolations() == [])
    }
  }

  /// The leaves of a built tree are full, so this insertion splits one, and shifts all that come after it.
  @Test func oneInsertionLooksAtOneLeaf() {
    each([0, 31, 32, 4_999, 9_999]) { (position: Int) in
      var tree = Self.built
      tree.updateValue(-1, forKey: position * 2 + 1)
      #expect(Self.steps(Self.built, tree) <= Self.stepsPerChange)
      #expect(Self.steps(tree, Self.built) <= Self.stepsPerChange)
      #expect(tree.invariantViolations() == [])
    }
  }

  @Test func removalsThatJoinLeavesLookAtThoseOnly() {
    var tree = Self.built
    let removed = 5_000..<5_080
    for position in removed { tree.removeValue(forKey: position * 2) }
    #expect(Self.steps(Self.built, tree) <= removed.count + Self.stepsPerChange)
    #expect(Self.steps(tree, Self.built) <= removed.count + Self.stepsPerChange)
    #expect(tree.invariantViolations() == [])
  }

  /// A new level must not make everything look new.
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
    #expect(Self.steps(full, taller) <= Self.stepsPerChange)
    #expect(Self.steps(taller, full) <= Self.stepsPerChange)
    #expect(taller.invariantViolations() == [])
  }

  @Test func comparisonsGrowWithTheChangesOnly() {
    each(SeededGenerator.seeds(10), [1, 10, 100]) { (seed: UInt64, changes: Int) in
      var random = SeededGenerator(seed: seed)
      var tree = Self.built
      for _ in 0..<changes {
        let key = Int.random(in: 0..<Self.size * 2, using: &random)
        if Bool.random(using: &random) { tree.removeValue(forKey: key) } else { tree.updateValue(-1, forKey: key) }
      }
      #expect(Self.steps(Self.built, tree) <= changes * Self.stepsPerChange)
      #expect(Self.steps(tree, Self.built) <= changes * Self.stepsPerChange)
      #expect(tree.invariantViolations() == [])
    }
  }

  /// Elements of one leaf with the same bits are skipped without a look at their types. Looking at the types would take
  /// as long as all the rest where code is not specialised.
  @Test(arguments: [1, 10, 300])
  func valuesThatAreTheSameAreNotCompared(changes: Int) {
    var tree = Self.built
    for change in 0..<changes { tree.updateValue(-1, forKey: change * (Self.size / changes) * 2) }
    var comparisons = 0
    let areSame = { (a: Int, b: Int) in
      comparisons += 1
      return a == b
    }
    tree.forEachDifference(from: Self.built, areSame: areSame) { _, _, _ in }
    #expect(comparisons == changes)
    #expect(tree.invariantViolations() == [])
  }

  @Test func aComparisonWithALimitGivesUp() {
    var tree = Self.built
    for position in 0..<Self.size { tree.updateValue(-1, forKey: position * 2) }
    var count = 0
    #expect(tree.forEachDifference(from: Self.built, stepLimit: 20, areSame: ==) { _, _, _ in count += 1 } == nil)
    #expect(count < 40 * Tree.Node.leafCapacity)
    #expect(tree.invariantViolations() == [])
  }

  private static func steps(_ old: Tree, _ new: Tree) -> Int {
    new.forEachDifference(from: old, areSame: ==) { _, _, _ in } ?? .max
  }
}
