import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// The first sort of a list, for keys that have ranks and for others. The list is the same as one that has grown record
/// by record.
struct LiveSortingTests {
  struct Sample: Record {
    let id: Int
    var number = 0.0
    var count = 0
    var date = Date(timeIntervalSinceReferenceDate: 0)
    var name = ""
  }

  private static let orders = [RecordOrder.ascending, .descending].flatMap { order in
    [RecordOrder.ascending, .descending].map { (order: order, sections: $0) }
  }

  private static func samples(_ random: inout SeededGenerator) -> [Sample] {
    let special = [0, -0.0, .infinity, -.infinity, .nan, -.nan, 1e300, -1e300, .leastNonzeroMagnitude]
    return (0..<600).map { id in
      let number = special.randomElement(using: &random) ?? 0
      let other = Double.random(in: -3...3, using: &random).rounded()
      return Sample(
        id: id, number: Bool.random(using: &random) ? number : other,
        count: [Int.min, -1, 0, 1, Int.max].randomElement(using: &random) ?? 0,
        date: Date(timeIntervalSinceReferenceDate: number.isNaN ? other : number),
        name: ["", "a", "b", "é"].randomElement(using: &random) ?? "")
    }
  }

  @Test func ranks() { checkAll(\.number, \.count) }
  @Test func dates() { checkAll(\.date, \.number) }
  @Test func wholeNumbers() { checkAll(\.count, \.date) }
  @Test func noSections() { checkAll(\.number) { _ in NoSections() } }
  @Test func texts() { checkAll(\.name, \.name) }
  @Test func textsInSectionsByRank() { checkAll(\.name, \.count) }
  @Test func ranksInSectionsByText() { checkAll(\.number, \.name) }

  private func checkAll<Key: Comparable & Sendable, Section: Comparable & Sendable>(
    _ key: @escaping @Sendable (Sample) -> Key, _ section: @escaping @Sendable (Sample) -> Section
  ) {
    each(SeededGenerator.seeds(2), [false, true]) { (seed: UInt64, filters: Bool) throws in
      var random = SeededGenerator(seed: seed)
      let samples = Self.samples(&random)
      let table = try Table(samples)
      for (order, sectionOrder) in Self.orders {
        let slice = LiveSlice<Sample, Section>(
          where: { !filters || $0.id % 3 > 0 }, sortedBy: key, order: order, sectionedBy: section,
          sectionOrder: sectionOrder, limit: nil)
        let list = LiveList(slice, of: table)
        let expected = table.boxes.filter(slice.matches).sorted { slice.order.isBefore($0, $1) }.map(\.record.id)
        #expect(list.map(\.id) == expected)
        #expect(list.rows.invariantViolations() == [])
        #expect(list.sizes.invariantViolations() == [])
        let grown = LiveList(slice, of: Table()).updated(from: Table(), to: table).after
        #expect(grown.map(\.id) == expected)
        #expect(grown.sections.map(\.range) == list.sections.map(\.range))
        for index in stride(from: 0, to: list.count, by: 37) {
          #expect(list.place(of: index) == grown.place(of: index))
        }
      }
    }
  }

  /// A list retains each of its records, and no other, and releases them with its end.
  @Test func references() throws {
    func check<Key: Comparable & Sendable>(_ key: @escaping @Sendable (Sample) -> Key) throws {
      var table = try Table((0..<100).map { Sample(id: $0) })
      let slice = LiveSlice<Sample, NoSections>(
        where: { $0.id % 2 == 0 }, sortedBy: key, order: .descending, sectionedBy: { _ in NoSections() },
        sectionOrder: .ascending, limit: 10)
      var list: LiveList? = LiveList(slice, of: table)
      weak let shown = table.box(4)
      weak let other = table.box(5)
      #expect(shown != nil && other != nil)
      table = Table()
      #expect(shown != nil && other == nil)
      #expect(list?.map(\.id) == (0..<10).map { 98 - 2 * $0 })
      list = nil
      #expect(shown == nil)
    }
    try check(\.number)
    try check(\.name)
  }
}
