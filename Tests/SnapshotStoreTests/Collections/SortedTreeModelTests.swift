import Testing

@testable import SnapshotStore
@testable import TestSupport

/// The tree, compared with a dictionary that gets the same operations.
struct SortedTreeModelTests {
  typealias Tree = SortedTree<Int, Int>

  /// The number of different keys decides the height: a single leaf, two levels, or three.
  @Test func randomOperationsAgreeWithADictionary() {
    each(SeededGenerator.seeds(12), [20, 300, 6_000]) { (seed: UInt64, keyCount: Int) in
      var random = SeededGenerator(seed: seed)
      var tree = Tree()
      var model: [Int: Int] = [:]
      var held: [(tree: Tree, model: [Int: Int])] = []
      var disagreements: [String] = []

      for step in 0..<4_000 {
        let key = Int.random(in: 0..<keyCount, using: &random)
        // The tree grows and then shrinks again, so that nodes are split and merged many times.
        let removals = step % 2_000 < 1_200 ? 2 : 8
        if Int.random(in: 0..<10, using: &random) < removals {
          if tree.removeValue(forKey: key) != model.removeValue(forKey: key) { disagreements.append("removing \(key)") }
        } else {
          if tree.updateValue(step, forKey: key) != model.updateValue(step, forKey: key) {
            disagreements.append("setting \(key)")
          }
        }
        if tree.count != model.count || tree[key] != model[key] { disagreements.append("after step \(step)") }
        if step % 500 == 250 { held.append((tree, model)) }
      }

      #expect(disagreements == [])
      expect(tree, holds: model)
      // Copies made in between share nodes with the tree, and must not have changed with it.
      for copy in held { expect(copy.tree, holds: copy.model) }
    }
  }

  /// Two trees that share nodes are both changed. Neither may see the changes of the other.
  @Test func copiesGoTheirOwnWays() {
    each(SeededGenerator.seeds(10)) { (seed: UInt64) in
      var random = SeededGenerator(seed: seed)
      var trees: [(tree: Tree, model: [Int: Int])] = [(Tree(), [:])]
      for step in 0..<5_000 {
        let index = Int.random(in: trees.indices, using: &random)
        let key = Int.random(in: 0..<800, using: &random)
        if Int.random(in: 0..<5, using: &random) < 2 {
          trees[index].tree.removeValue(forKey: key)
          trees[index].model.removeValue(forKey: key)
        } else {
          trees[index].tree.updateValue(step, forKey: key)
          trees[index].model.updateValue(step, forKey: key)
        }
        if step % 700 == 350 { trees.append(trees[index]) }
      }
      for (tree, model) in trees { expect(tree, holds: model) }
    }
  }

  @Test func aChangeThatIsNoneKeepsTheIdentity() {
    var tree = Tree(sortedKeys: Array(0..<1_000), values: Array(0..<1_000))
    let copy = tree
    #expect(tree.removeValue(forKey: 1_000) == nil)
    #expect(tree.removeValue(forKey: -1) == nil)
    #expect(tree.isIdentical(to: copy))

    tree.updateValue(0, forKey: 0)
    #expect(!tree.isIdentical(to: copy))
    #expect(tree.invariantViolations() == [])
  }

  /// Equal keys can look different. The last one given is found.
  @Test func replacingAValueReplacesTheKeyToo() {
    var tree = SortedTree<String, Int>()
    tree.updateValue(1, forKey: "caf\u{E9}")
    #expect(tree.updateValue(2, forKey: "cafe\u{301}") == 1)
    #expect(tree.count == 1)
    #expect(tree.elements.map { Array($0.key.unicodeScalars).count } == [5])
    #expect(tree.invariantViolations() == [])
  }

  private func expect(
    _ tree: Tree, holds model: [Int: Int], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let expected = model.sorted { $0.key < $1.key }
    #expect(tree.invariantViolations() == [], sourceLocation: sourceLocation)
    #expect(tree.count == model.count, sourceLocation: sourceLocation)
    #expect(tree.isEmpty == model.isEmpty, sourceLocation: sourceLocation)
    #expect(tree.elements.map(\.key) == expected.map(\.key), sourceLocation: sourceLocation)
    #expect(tree.elements.map(\.value) == expected.map(\.value), sourceLocation: sourceLocation)
  }
}
