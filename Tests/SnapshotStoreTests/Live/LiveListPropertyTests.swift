import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Random transactions. After each, the old list and the batch make the new list, which equals the result of a new
/// query.
struct LiveListPropertyTests {
  struct Shape: Sendable, CustomTestStringConvertible {
    var order = RecordOrder.ascending
    var hasSections = false
    var filters = false
    var limit: Int?

    var testDescription: String { "\(order) sections \(hasSections) filter \(filters) limit \(limit ?? -1)" }

    var slice: LiveSlice<Chore, String> {
      let (hasSections, filters) = (hasSections, filters)
      return LiveSlice(
        where: { !filters || !$0.isDone }, sortedBy: \.rank, order: order,
        sectionedBy: { hasSections ? $0.room : "" }, sectionOrder: order == .ascending ? .descending : .ascending,
        limit: limit)
    }

    /// The list by definition.
    func expected(_ table: Table<Chore>) -> [Chore] {
      let sorted = table.filter { !filters || !$0.isDone }.sorted { a, b in
        if hasSections, a.room != b.room { return order == .ascending ? a.room > b.room : a.room < b.room }
        return order == .ascending ? (a.rank, a.id) < (b.rank, b.id) : (a.rank, a.id) > (b.rank, b.id)
      }
      return Array(sorted.prefix(limit ?? .max))
    }
  }

  static let shapes: [Shape] = [RecordOrder.ascending, .descending].flatMap { order in
    [false, true].flatMap { sections in
      [nil, 0, 1, 7, 30].map { Shape(order: order, hasSections: sections, filters: order == .descending, limit: $0) }
    }
  }

  @Test func batchesMakeTheNewList() {
    each(SeededGenerator.seeds(3), Proofs.share(of: Self.shapes, oneIn: 3)) { (seed: UInt64, shape: Shape) throws in
      var random = SeededGenerator(seed: seed)
      var house = House()
      var list = LiveList(shape.slice, of: house.chores)
      for round in 0..<160 {
        let before = house.chores
        let kept = Array(list)
        try house.changeAtRandom(&random, ids: round < 60 ? 12 : 60)
        let batch = list.updated(from: before, to: house.chores)
        let expected = shape.expected(house.chores)
        #expect(batch.violations() == [], "seed \(seed), round \(round)")
        #expect(Array(batch.after) == expected, "seed \(seed), round \(round)")
        #expect(batch.isEmpty == (kept == expected))
        #expect(Array(list) == kept)
        list = batch.after
        if round % 8 == 0 { check(list, shape) }
      }
    }
  }

  private func check(_ list: LiveList<Chore, String>, _ shape: Shape) {
    #expect(list.rows.invariantViolations() == [])
    #expect(list.sizes.invariantViolations() == [])
    let sections = list.sections
    #expect(sections.map(\.range).flatMap { Array($0) } == Array(0..<list.count))
    for (number, section) in sections.enumerated() {
      for index in section.range {
        #expect(!shape.hasSections || list[index].room == section.key)
        #expect(list.place(of: index) == (number, index - section.range.lowerBound))
        #expect(list.index(of: list[index]) == index)
      }
    }
    #expect(Set(sections.map(\.key)).count == sections.count)
  }

  /// One consumer takes all updates, and one only looks from time to time.
  @Test func sequencesFollow() async {
    await each(SeededGenerator.seeds(4), [1, 5]) { (seed: UInt64, pace: Int) async throws in
      var random = SeededGenerator(seed: seed)
      let shape = Shape(hasSections: true, filters: true, limit: 20)
      let store = Store(House())
      let updates = LiveList.Updates(source: LiveSource(store, \.chores), slice: shape.slice)
      var iterator = updates.makeAsyncIterator()
      var records = Array(try #require(await iterator.next()).list)
      for round in 0..<200 {
        try store.write { try $0.changeAtRandom(&random, ids: 50) }
        let expected = store.read { shape.expected($0.chores) }
        guard round % pace == 0, expected != records else { continue }
        let batch = try #require(await iterator.next()?.batch)
        #expect(Array(batch.before) == records)
        batch.apply(to: &records)
        #expect(records == expected, "seed \(seed), round \(round)")
      }
      #expect(store.snapshot().value.allViolations() == [])
    }
  }

  /// Everything at once: all records are replaced by others.
  @Test func wholeTablesReplaced() {
    each(SeededGenerator.seeds(1), Self.shapes) { (seed: UInt64, shape: Shape) throws in
      var random = SeededGenerator(seed: seed)
      let tables = try (0..<4).map { number in
        try Table((0..<number * 50).map { Chore.random($0, &random) })
      }
      for old in tables {
        for new in tables {
          let batch = LiveList(shape.slice, of: old).updated(from: old, to: new)
          #expect(batch.violations() == [], "seed \(seed)")
          #expect(Array(batch.after) == shape.expected(new))
        }
      }
    }
  }
}
