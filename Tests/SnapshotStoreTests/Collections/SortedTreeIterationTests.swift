import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Iteration in both directions and over ranges, compared with a sorted array.
struct SortedTreeIterationTests {
  typealias Tree = SortedTree<Int, Int>

  /// Random keys with gaps, made by insertions and removals. Nodes have all sizes, and separators are stale.
  private static func tree(_ size: Int, _ random: inout SeededGenerator) -> (Tree, [Int]) {
    var tree = Tree()
    var keys: Set<Int> = []
    for _ in 0..<size * 2 {
      let key = Int.random(in: 0..<size * 4, using: &random)
      tree.updateValue(-key, forKey: key)
      keys.insert(key)
    }
    while keys.count > size {
      let key = Int.random(in: 0..<size * 4, using: &random)
      tree.removeValue(forKey: key)
      keys.remove(key)
    }
    return (tree, keys.sorted())
  }

  @Test func allElementsBothWays() {
    each(SeededGenerator.seeds(6), [1, 30, 70, 3_000]) { (seed: UInt64, size: Int) in
      var random = SeededGenerator(seed: seed)
      let (tree, keys) = Self.tree(size, &random)
      #expect(tree.elements.map(\.key) == keys)
      #expect(tree.elements.map(\.value) == keys.map { -$0 })
      #expect(tree.elements.descending().map(\.key) == keys.reversed())
      #expect(tree.elements.descending().map(\.value) == keys.reversed().map { -$0 })
      #expect(tree.invariantViolations() == [])
    }
  }

  @Test func rangesBothWays() {
    each(SeededGenerator.seeds(6), [0, 1, 30, 70, 3_000]) { (seed: UInt64, size: Int) in
      var random = SeededGenerator(seed: seed)
      let (tree, keys) = size == 0 ? (Tree(), []) : Self.tree(size, &random)
      for _ in 0..<12 {
        let a = Int.random(in: -2...size * 4 + 2, using: &random)
        let b = Int.random(in: -2...size * 4 + 2, using: &random)
        let (low, high) = (min(a, b), max(a, b))
        check(tree, keys, isBelow: { $0 < low }, isAbove: { $0 > high })
        check(tree, keys, isBelow: { $0 < low }, isAbove: { $0 >= high })
        check(tree, keys, isBelow: { $0 < low }, isAbove: nil)
        check(tree, keys, isBelow: nil, isAbove: { $0 > high })
        check(tree, keys, isBelow: nil, isAbove: nil)
        // A range whose end is before its beginning is empty, from whichever end the iteration starts.
        check(tree, keys, isBelow: { $0 < high }, isAbove: { $0 >= low })
      }
      #expect(tree.invariantViolations() == [])
    }
  }

  /// Composite keys are searched by their first part, as an index searches its entries.
  @Test func aRangeMayAskForAPartOfTheKey() {
    struct Pair: Comparable {
      let a, b: Int
      static func < (x: Pair, y: Pair) -> Bool { (x.a, x.b) < (y.a, y.b) }
    }
    let keys = (0..<60).flatMap { a in (0..<a).map { Pair(a: a, b: $0) } }
    let tree = SortedTree(sortedKeys: keys, values: keys.map(\.b))
    for a in -1...60 {
      let expected = keys.filter { $0.a == a }
      let elements = tree.elements(isBelow: { $0.a < a }, isAbove: { $0.a > a })
      #expect(elements.map(\.key) == expected)
      #expect(elements.descending().map(\.key) == expected.reversed())
    }
    #expect(tree.invariantViolations() == [])
  }

  @Test func anIteratorAtItsEndStaysThere() {
    each([0, 1, 32, 100]) { (size: Int) in
      let tree = Tree(sortedKeys: Array(0..<size), values: Array(0..<size))
      var forwards = tree.elements.makeIterator()
      var backwards = tree.elements.descending().makeIterator()
      for _ in 0..<size { #expect(forwards.next() != nil && backwards.next() != nil) }
      for _ in 0..<3 { #expect(forwards.next() == nil && backwards.next() == nil) }
      #expect(tree.invariantViolations() == [])
    }
  }

  /// Notes are changed during the iteration over the sequence that named them.
  @Test func elementsAreThoseOfTheTreeAsItWas() {
    var tree = Tree(sortedKeys: Array(0..<500), values: Array(0..<500))
    let elements = tree.elements
    var seen: [Int] = []
    for (key, value) in elements {
      tree.removeValue(forKey: key)
      tree.updateValue(value, forKey: key + 10_000)
      seen.append(key)
    }
    #expect(seen == Array(0..<500))
    #expect(elements.map(\.key) == Array(0..<500))
    #expect(tree.elements.map(\.key) == Array(10_000..<10_500))
    #expect(tree.invariantViolations() == [])
  }

  private func check(
    _ tree: Tree, _ keys: [Int], isBelow: (@Sendable (Int) -> Bool)?, isAbove: (@Sendable (Int) -> Bool)?,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let expected = keys.filter { isBelow?($0) != true && isAbove?($0) != true }
    let elements = tree.elements(isBelow: isBelow, isAbove: isAbove)
    #expect(elements.map(\.key) == expected, sourceLocation: sourceLocation)
    #expect(elements.descending().map(\.key) == expected.reversed(), sourceLocation: sourceLocation)
  }
}
