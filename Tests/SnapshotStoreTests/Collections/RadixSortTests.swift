import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Sorting by rank is sorting by `<`, and stable.
@Suite struct RadixSortTests {
  private struct Element: Equatable {
    let rank: SortRank
    let position: Int

    static func == (a: Element, b: Element) -> Bool { a.position == b.position }
  }

  @Test(arguments: SeededGenerator.seeds(3))
  func doubles(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let special = [0, -0.0, .infinity, -.infinity, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, 1, -1]
    let numbers = (0..<3_000).map { index -> Double in
      if index % 7 == 0 { return special.randomElement(using: &generator) ?? 0 }
      let number = Double(bitPattern: generator.next())
      return number.isNaN ? 0.5 : number
    }
    check(numbers) { SortRank($0) }
    check(numbers.filter(\.isFinite).map { $0.truncatingRemainder(dividingBy: 8).rounded() }) { SortRank($0) }
  }

  @Test(arguments: SeededGenerator.seeds(3))
  func integers(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    check((0..<3_000).map { _ in Int64(truncatingIfNeeded: generator.next()) }) { SortRank($0) }
    check((0..<3_000).map { _ in Int64.random(in: -3...3, using: &generator) }) { SortRank($0) }
    check([Int64.max, .min, 0, -1, 1]) { SortRank($0) }
  }

  @Test(arguments: SeededGenerator.seeds(2))
  func twoWords(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let keys = (0..<2_000).map { _ in
      let (high, low) = (generator.next() % 5 << 60 | generator.next() % 3, generator.next())
      return UInt128(high) << 64 | UInt128(low)
    }
    check(keys) { SortRank($0) }
  }

  @Test func fewElements() {
    check([Int64]()) { SortRank($0) }
    check([7]) { SortRank(Int64($0)) }
    check([2, 1]) { SortRank(Int64($0)) }
  }

  private func check<Key: Comparable>(_ keys: [Key], rank: (Key) -> SortRank) {
    var elements = keys.indices.map { Element(rank: rank(keys[$0]), position: $0) }
    RadixSort.sort(&elements) { $0.rank }
    // The standard library's sort is stable too.
    let isRight = elements.map(\.position) == keys.indices.sorted { keys[$0] < keys[$1] }
    #expect(isRight)
  }

  // An index that is built at once has the order of one that grew.
  @Test func indexesOfManyRecordsAreInOrder() throws {
    var generator = SeededGenerator(seed: 5)
    let records = (0..<1_000).map { id in
      let number = Int.random(in: -20...20, using: &generator)
      return Ranked(id: id, date: Date(timeIntervalSinceReferenceDate: Double(number) / 4), number: number)
    }
    let built = try Table(records)
    var grown = Table<Ranked>()
    for record in records.shuffled(using: &generator) { try grown.insert(record) }
    for table in [built, grown] {
      #expect(table.invariantViolations() == [])
      #expect(Array(table.records(in: Ranked.byDate)) == records.sorted { ($0.date, $0.id) < ($1.date, $1.id) })
      #expect(Array(table.records(in: Ranked.byNumber)) == records.sorted { ($0.number, $0.id) < ($1.number, $1.id) })
    }
  }
}

private struct Ranked: Record {
  let id: Int
  let date: Date
  let number: Int

  static let byDate = Index<Ranked, Date>("date") { $0.date }
  static let byNumber = Index<Ranked, Int>("number") { $0.number }
  static let indexes = Indexes(byDate, byNumber)
}
