import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Ranks agree with the positions in the list of all keys, after any operations on the tree.
struct SortedTreeRanksTests {
  @Test func ranksAreThePositions() {
    each(SeededGenerator.seeds(6), [10, 200, 4_000]) { (seed: UInt64, range: Int) in
      var random = SeededGenerator(seed: seed)
      var tree = SortedTree<Int, Int>()
      var keys: Set<Int> = []
      for round in 0..<range * 3 {
        let key = Int.random(in: 0..<range, using: &random)
        // Copies that are still retained, so that shared nodes are copied too.
        let copy = tree
        if round < range * 2 ? Int.random(in: 0..<3, using: &random) > 0 : Int.random(in: 0..<4, using: &random) == 0 {
          tree.updateValue(key, forKey: key)
          keys.insert(key)
        } else {
          tree.removeValue(forKey: key)
          keys.remove(key)
        }
        withExtendedLifetime(copy) {}
        if round % max(1, range / 10) == 0 { check(tree, keys.sorted(), &random) }
      }
      check(tree, keys.sorted(), &random)
    }
  }

  @Test func treesBuiltAtOnce() {
    each([0, 1, 32, 33, 512, 513, 10_000]) { (count: Int) in
      var random = SeededGenerator(seed: UInt64(count))
      check(SortedTree(count: count) { ($0 * 2, $0) }, (0..<count).map { $0 * 2 }, &random)
    }
  }

  private func check(_ tree: SortedTree<Int, Int>, _ keys: [Int], _ random: inout SeededGenerator) {
    #expect(tree.invariantViolations() == [])
    for _ in 0..<20 {
      let key = Int.random(in: -1...(keys.last ?? 0) + 1, using: &random)
      #expect(tree.rank(of: key) == keys.count { $0 < key })
    }
    for rank in [0, keys.count / 3, keys.count - 1] where rank >= 0 && rank < keys.count {
      #expect(tree.element(at: rank).key == keys[rank])
    }
    #expect(tree.rank { _ in true } == keys.count)
    #expect(tree.rank { _ in false } == 0)
  }
}
