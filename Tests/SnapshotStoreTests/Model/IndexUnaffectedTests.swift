import Testing

@testable import SnapshotStore
@testable import TestSupport

/// An index with a quick test, and one whose keys are two numbers in one.
struct IndexUnaffectedTests {
  struct Line: Record {
    let id: Int
    var words: [Int] = []
    var high: UInt64 = 0

    /// The quick test recognises equal arrays only every other time.
    static let byWord = Index<Line, Int>(
      "word", isUnaffected: { $0.words == $1.words && $0.id.isMultiple(of: 2) }, each: { $0.words })
    static let byPair = Index<Line, UInt128>("pair") { UInt128($0.high) << 64 | UInt128(~UInt64($0.id)) }
    static let indexes = Indexes(byWord, byPair)

    static func random(_ id: Int, _ random: inout SeededGenerator) -> Line {
      let words = (0..<Int.random(in: 0...3, using: &random)).map { _ in Int.random(in: 0..<9, using: &random) }
      return Line(id: id, words: words, high: random.next() >> UInt64.random(in: 0..<64, using: &random))
    }
  }

  @Test func theIndexStaysInStep() {
    each(SeededGenerator.seeds(4)) { (seed: UInt64) throws in
      var random = SeededGenerator(seed: seed)
      var lines = Table<Line>()
      for _ in 0..<400 {
        let id = Int.random(in: 0..<100, using: &random)
        let line = Line.random(id, &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: lines.remove(id)
        case 1: try? lines.update(id) { $0.high = line.high }
        default: try lines.upsert(line)
        }
      }
      try lines.upsert(contentsOf: (50..<150).map { Line.random($0, &random) })
      try lines.updateAll { if $0.id.isMultiple(of: 3) { $0.words.reverse() } else { $0.high += 0 } }
      #expect(lines.invariantViolations() == [])
      for word in 0..<9 {
        #expect(
          lines.records(in: Line.byWord, at: word).map(\.id) == lines.filter { $0.words.contains(word) }.map(\.id))
      }
    }
  }

  /// Changes of many records are sorted by rank if they are in the order of the ids, else by comparison.
  @Test func manyChangesInAnyOrder() {
    each(SeededGenerator.seeds(2), [false, true]) { (seed: UInt64, isShuffled: Bool) throws in
      var random = SeededGenerator(seed: seed)
      func ordered<Element>(_ elements: [Element]) -> [Element] {
        isShuffled ? elements.shuffled(using: &random) : elements
      }
      var lines = try Table((0..<1_500).map { Line.random($0, &random) })
      try lines.put(ordered((100..<900).map { RecordBox(Line(id: $0, words: [$0 % 5, 3], high: 7)) }))
      #expect(lines.invariantViolations() == [])
      #expect(lines.records(in: Line.byPair, at: UInt128(7) << 64 | UInt128(~UInt64(100))).map(\.id) == [100])
      _ = lines.remove(boxes: ordered(Array(400..<1_400)))
      #expect(lines.invariantViolations() == [])
      #expect(lines.count == 500)
    }
  }

  /// Built at once by rank, and grown one by one by comparison.
  @Test(arguments: SeededGenerator.seeds(2)) func keysOfTwoNumbers(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var all = (0..<600).map { Line.random($0, &random) }
    for (position, high) in ([0, 1, 1 << 63, .max, .max] as [UInt64]).enumerated() { all[position].high = high }
    let built = try Table(all)
    var grown = Table<Line>()
    for line in all.shuffled(using: &random) { try grown.insert(line) }
    let expected = all.sorted { ($0.high, $1.id) < ($1.high, $0.id) }.map(\.id)
    for table in [built, grown] {
      #expect(table.records(in: Line.byPair).map(\.id) == expected)
      #expect(table.invariantViolations() == [])
    }
  }
}
