import Testing

@testable import SnapshotStore
@testable import TestSupport

/// The difference of two trees, compared with a difference that looks at every key.
struct SortedTreeDifferenceTests {
  typealias Tree = SortedTree<Int, Int>

  struct Change: Equatable {
    let key: Int
    let old: Int?
    let new: Int?
  }

  /// Sizes from zero to three levels, and few to many changes. With many changes the heights of the trees differ too.
  @Test func relatedTrees() {
    each(SeededGenerator.seeds(8), [0, 1, 40, 1_500]) { (seed: UInt64, size: Int) in
      var random = SeededGenerator(seed: seed)
      let keys = (0..<size).map { $0 * 3 }
      let old = Tree(sortedKeys: keys, values: keys)
      var new = old
      for changes in [0, 1, 5, 50, 500, 3_000] {
        for _ in 0..<changes { Self.change(&new, below: max(1, size) * 3, &random) }
        check(old, new)
        check(new, old)
      }
      // Two trees with a common ancestor that differs from both.
      var other = old
      for _ in 0..<20 { Self.change(&other, below: max(1, size) * 3, &random) }
      check(other, new)
    }
  }

  @Test func unrelatedTrees() {
    each(SeededGenerator.seeds(8)) { (seed: UInt64) in
      var random = SeededGenerator(seed: seed)
      for (a, b) in [(0, 0), (0, 500), (1, 1), (10, 2_000), (800, 800)] {
        var (old, new) = (Tree(), Tree())
        for _ in 0..<a { Self.change(&old, below: 1_000, &random) }
        for _ in 0..<b { Self.change(&new, below: 1_000, &random) }
        check(old, new)
        check(new, old)
      }
    }
  }

  /// Elements are compared as bits first. Padding bits have no meaning, equal texts may be at different addresses, and
  /// values may have no size at all.
  @Test func keysAndValuesOfManyLayouts() {
    each(SeededGenerator.seeds(4)) { (seed: UInt64) in
      var random = SeededGenerator(seed: seed)
      let numbers = (0..<600).map { _ in Int.random(in: 0..<900, using: &random) }
      checkLayout(numbers, key: { "\($0) is a text that does not fit into a word" }, value: { "\($0 % 3)" }, ==)
      checkLayout(numbers, key: { "\($0)" }, value: { _ in () }, { _, _ in true })
      checkLayout(numbers, key: { UInt8($0 % 256) }, value: { Padded(a: UInt8($0 % 2), b: UInt32($0 % 3)) }, ==)
      checkLayout(numbers, key: { $0 == 0 ? -0.0 : Double($0) }, value: { [$0 % 3] }, ==)
      checkLayout(numbers, key: { $0 }, value: { $0 % 3 == 0 ? nil : $0 % 3 }, ==)
    }
  }

  /// Equal elements in nodes of other shapes are no difference.
  @Test func shapeMakesNoDifference() {
    let keys = Array(0..<2_000)
    let built = Tree(sortedKeys: keys, values: keys)
    var shuffled = Tree()
    var random = SeededGenerator(seed: 1)
    for key in keys.shuffled(using: &random) { shuffled.updateValue(key, forKey: key) }
    #expect(Self.difference(built, shuffled) == [])
    #expect(Self.difference(shuffled, built) == [])
    #expect(shuffled.invariantViolations() == [])
  }

  @Test func keysThatLieApart() {
    let low = Tree(sortedKeys: Array(0..<100), values: Array(0..<100))
    let high = Tree(sortedKeys: Array(100..<5_000), values: Array(100..<5_000))
    check(low, high)
    check(high, low)
  }

  /// The caller decides which values are the same.
  @Test func sameMeansWhatTheCallerSays() {
    let old = Tree(sortedKeys: [1, 2, 3], values: [10, 20, 30])
    let new = Tree(sortedKeys: [1, 2, 3], values: [11, 20, 40])
    var keys: [Int] = []
    new.forEachDifference(from: old, areSame: { abs($0 - $1) < 5 }) { key, _, _ in keys.append(key) }
    #expect(keys == [3])
  }

  @Test func anErrorEndsTheComparison() {
    struct Stop: Error {}
    let old = Tree(sortedKeys: Array(0..<100), values: Array(0..<100))
    var keys: [Int] = []
    #expect(throws: Stop.self) {
      try Tree().forEachDifference(from: old, areSame: ==) { key, _, _ in
        keys.append(key)
        if key == 2 { throw Stop() }
      }
    }
    #expect(keys == [0, 1, 2])
  }

  // MARK: Helpers

  private struct Padded: Equatable {
    let a: UInt8
    let b: UInt32
  }

  /// Compares a tree with one that was made from it, and with an unrelated one.
  private func checkLayout<Key: Hashable & Comparable & Sendable, Value: Sendable>(
    _ numbers: [Int], key: (Int) -> Key, value: (Int) -> Value, _ areSame: (Value, Value) -> Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var (old, apart) = (SortedTree<Key, Value>(), SortedTree<Key, Value>())
    for number in numbers.prefix(400) { old.updateValue(value(number), forKey: key(number)) }
    var new = old
    for number in numbers.dropFirst(300) { new.updateValue(value(number + 1), forKey: key(number)) }
    for number in numbers.prefix(50) { new.removeValue(forKey: key(number)) }
    for element in new.elements.map({ $0 }).reversed() { apart.updateValue(element.value, forKey: element.key) }
    let expected = Set(old.elements.map(\.key)).union(new.elements.map(\.key)).sorted().filter { key in
      guard let before = old[key], let after = new[key] else { return true }
      return !areSame(before, after)
    }
    for tree in [new, apart] {
      var keys: [Key] = []
      tree.forEachDifference(from: old, areSame: areSame) { key, _, _ in keys.append(key) }
      #expect(keys == expected, sourceLocation: sourceLocation)
      #expect(tree.invariantViolations() == [], sourceLocation: sourceLocation)
    }
    #expect(old.invariantViolations() == [], sourceLocation: sourceLocation)
  }

  private static func change(_ tree: inout Tree, below limit: Int, _ random: inout SeededGenerator) {
    let key = Int.random(in: 0..<limit, using: &random)
    if Bool.random(using: &random) {
      tree.removeValue(forKey: key)
    } else {
      tree.updateValue(Int.random(in: 0..<3, using: &random), forKey: key)
    }
  }

  private static func difference(_ old: Tree, _ new: Tree) -> [Change] {
    var changes: [Change] = []
    new.forEachDifference(from: old, areSame: ==) { changes.append(Change(key: $0, old: $1, new: $2)) }
    return changes
  }

  private func check(_ old: Tree, _ new: Tree, sourceLocation: SourceLocation = #_sourceLocation) {
    let olds = Dictionary(uniqueKeysWithValues: old.elements.map { ($0.key, $0.value) })
    let news = Dictionary(uniqueKeysWithValues: new.elements.map { ($0.key, $0.value) })
    let expected = Set(olds.keys).union(news.keys).sorted().compactMap { key in
      olds[key] == news[key] ? nil : Change(key: key, old: olds[key], new: news[key])
    }
    #expect(Self.difference(old, new) == expected, sourceLocation: sourceLocation)
    #expect(old.invariantViolations() + new.invariantViolations() == [], sourceLocation: sourceLocation)
  }
}
