import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Keys and values of all sizes and alignments in one allocation, and their release.
struct SortedTreeLayoutTests {
  final class Counted: Sendable {}

  /// Aligned more strictly than any likely key.
  struct Wide: Comparable, Sendable {
    let lanes: SIMD8<Double>
    init(_ number: Int) { lanes = SIMD8(repeating: Double(number)) }
    static func < (a: Wide, b: Wide) -> Bool { a.lanes[0] < b.lanes[0] }
  }

  @Test(arguments: SeededGenerator.seeds(3))
  func everyLayoutHoldsItsElements(seed: UInt64) {
    check(seed, key: { UInt8($0 % 256) }, value: { $0 })
    check(seed, key: { UInt8($0 % 256) }, value: Wide.init)
    check(seed, key: Wide.init, value: { UInt8($0 % 256) })
    check(seed, key: { "a key that is too long to be small \($0)" }, value: { "\($0)" })
    check(seed, key: { $0 }, value: { ("a pair of \($0)", Wide($0)) }, areSame: { $0.0 == $1.0 && $0.1 == $1.1 })
    check(seed, key: { "\($0)" }, value: { _ in () }, areSame: { _, _ in true })
  }

  /// Nodes retain their elements once and release them once.
  @Test func nothingIsLeftBehind() {
    var references: [Weak] = []
    do {
      var random = SeededGenerator(seed: 5)
      var tree = SortedTree<String, Counted>()
      var copies: [SortedTree<String, Counted>] = []
      for step in 0..<3_000 {
        let key = "a key that is too long to be small \(Int.random(in: 0..<500, using: &random))"
        if Int.random(in: 0..<3, using: &random) == 0 {
          tree.removeValue(forKey: key)
        } else {
          let value = Counted()
          references.append(Weak(value))
          tree.updateValue(value, forKey: key)
        }
        if step % 100 == 0 { copies.append(tree) }
        if step % 250 == 0 { copies.removeFirst() }
      }
      #expect(references.count { $0.object != nil } >= tree.count)
      copies = []
      #expect(references.count { $0.object != nil } == tree.count)
      #expect(tree.invariantViolations() == [])
    }
    #expect(references.allSatisfy { $0.object == nil })
  }

  @Test func leavesInOrder() {
    each([0, 1, 32, 33, 5_000]) { (size: Int) in
      var tree = SortedTree<Int, Int>(sortedKeys: Array(0..<size), values: Array(0..<size))
      #expect(Self.values(tree) == Array(0..<size))
      let before = Self.leaves(tree)
      let copy = tree
      tree.updateValue(-1, forKey: size / 2)
      let after = Self.leaves(tree)
      // One leaf, or two if it was split.
      #expect(after.count { leaf in !before.contains { $0 === leaf } } <= 2)
      #expect(Self.leaves(copy).elementsEqual(before) { $0 === $1 })
      #expect(Self.values(copy) == Array(0..<size))
    }
  }

  @Test func anErrorEndsTheVisit() {
    struct Stop: Error {}
    let tree = SortedTree<Int, Int>(sortedKeys: Array(0..<500), values: Array(0..<500))
    var visits = 0
    #expect(throws: Stop.self) {
      try tree.forEachLeaf { (_, _) throws(Stop) in
        visits += 1
        if visits == 3 { throw Stop() }
      }
    }
    #expect(visits == 3)
  }

  @Test func erasedTreesAreOfOneType() {
    let tree = SortedTree<Int, Int>(sortedKeys: [1, 2], values: [3, 4])
    var erased = ErasedTree(tree)
    #expect(erased.tree(as: SortedTree<Int, String>.self) == nil)
    erased.change(as: SortedTree<Int, Int>.self) { $0.updateValue(5, forKey: 2) }
    #expect(erased.tree(as: SortedTree<Int, Int>.self)?[2] == 5)
    #expect(erased.count == 2)
    #expect(tree[2] == 4)
  }

  // MARK: Helpers

  private struct Weak { weak var object: Counted?; init(_ object: Counted) { self.object = object } }

  private static func leaves(_ tree: SortedTree<Int, Int>) -> [AnyObject] {
    var leaves: [AnyObject] = []
    tree.forEachLeaf { leaf, _ in leaves.append(leaf) }
    return leaves
  }

  private static func values(_ tree: SortedTree<Int, Int>) -> [Int] {
    var values: [Int] = []
    tree.forEachLeaf { values += $1 }
    return values
  }

  private func check<Key, Value: Equatable & Sendable>(_ seed: UInt64, key: (Int) -> Key, value: (Int) -> Value)
  where Key: Comparable & Sendable {
    check(seed, key: key, value: value, areSame: ==)
  }

  private func check<Key: Comparable & Sendable, Value: Sendable>(
    _ seed: UInt64, key: (Int) -> Key, value: (Int) -> Value, areSame: (Value, Value) -> Bool
  ) {
    var random = SeededGenerator(seed: seed)
    var tree = SortedTree<Key, Value>()
    var model: [Int: Int] = [:]
    var copy = tree
    var copied = model
    for step in 0..<1_500 {
      let number = Int.random(in: 0..<250, using: &random)
      if Int.random(in: 0..<(step < 900 ? 4 : 2), using: &random) == 0 {
        #expect((tree.removeValue(forKey: key(number)) != nil) == (model.removeValue(forKey: number) != nil))
      } else {
        tree.updateValue(value(step), forKey: key(number))
        model[number] = step
      }
      if step % 300 == 299 { (copy, copied) = (tree, model) }
    }
    for (tree, model) in [(tree, model), (copy, copied)] {
      #expect(tree.invariantViolations() == [])
      let expected = model.sorted { key($0.key) < key($1.key) }
      #expect(tree.elements.map(\.key) == expected.map { key($0.key) })
      #expect(zip(tree.elements, expected).allSatisfy { areSame($0.value, value($1.value)) })
    }
  }
}
