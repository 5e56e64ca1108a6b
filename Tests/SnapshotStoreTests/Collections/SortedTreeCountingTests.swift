import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Counting a range gives the same number as iterating over it.
struct SortedTreeCountingTests {
  @Test func everyRange() {
    each([0, 1, 31, 32, 33, 500, 5_000], everyRange(count:))
  }

  private func everyRange(count: Int) {
    var random = SeededGenerator(seed: UInt64(count))
    var tree = SortedTree<Int, Void>()
    for key in (0..<count).shuffled(using: &random) { tree.updateValue((), forKey: key * 2) }
    let ends =
      count <= 33
      ? Array(-1...2 * count + 1)
      : (0..<Proofs.pick(full: 60, quick: 20)).map { _ in Int.random(in: -1...2 * count, using: &random) }
    for low in ends {
      for high in ends where high >= low {
        let expected = (low...high).count { $0 >= 0 && $0 % 2 == 0 && $0 < 2 * count }
        #expect(tree.count(isBelow: { $0 < low }, isAbove: { $0 > high }) == expected)
      }
    }
    #expect(tree.count(isBelow: { _ in false }, isAbove: { _ in false }) == count)
    #expect(tree.count(isBelow: { _ in true }, isAbove: { _ in false }) == 0)
    #expect(tree.count(isBelow: { _ in false }, isAbove: { _ in true }) == 0)
    #expect(tree.invariantViolations() == [])
  }
}
