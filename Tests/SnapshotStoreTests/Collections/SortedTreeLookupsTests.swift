import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Lookups of several keys together find the same as one by one.
struct SortedTreeLookupsTests {
  @Test func numbers() {
    each(SeededGenerator.seeds(3), [0, 1, 32, 33, 500, 5_000]) { (seed: UInt64, count: Int) in
      var random = SeededGenerator(seed: seed)
      var tree = SortedTree<Int, Int>()
      for key in (0..<count).shuffled(using: &random) { tree.updateValue(-key, forKey: key * 2) }
      for number in [0, 1, 64, 200] {
        check(tree, (0..<number).map { _ in Int.random(in: -2...2 * count + 1, using: &random) })
      }
      check(tree, [0, 0, -1, 2 * count, 0])
    }
  }

  @Test func texts() {
    let texts = (0..<2_000).map { "text \($0 * 7 % 2_000)" }
    var tree = SortedTree<String, Int>()
    for (number, text) in texts.enumerated() where number % 3 > 0 { tree.updateValue(number, forKey: text) }
    check(tree, texts)
  }

  private func check<Key>(_ tree: SortedTree<Key, Int>, _ keys: [Key]) {
    var found: [Int?] = []
    tree.withPositions(of: keys[...]) { found.append($0?.pointee) }
    #expect(found == keys.map { tree[$0] })
  }
}
