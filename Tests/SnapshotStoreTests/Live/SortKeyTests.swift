// As in another module, without internal declarations.
import Foundation
import SnapshotStore
import Testing

@testable import TestSupport

private struct Errand: Record {
  enum Urgency: Int, Codable, Comparable, SortKey, CaseIterable {
    case low, high
    static func < (a: Urgency, b: Urgency) -> Bool { a.rawValue < b.rawValue }
  }

  let id: Int
  var title = ""
  var due: Date?
  var isDone = false
  var cost = 0.0
  var urgency = Urgency.low

  typealias State = CompoundKey<Bool, Date?>

  static let byState = Index<Errand, State>("state") { State($0.isDone, $0.due) }
  static let byCost = Index<Errand, CompoundKey<Double>>("cost") { CompoundKey($0.cost) }
  static let indexes = Indexes(byState, byCost)
}

private struct Errands: Model {
  var errands = Table<Errand>()
  static let schema = Schema<Errands>("errands", version: 1, Field("errands", \.errands))
}

/// Lists and indexes by keys that are optional, `Bool`, or several.
struct SortKeyTests {
  private static let days = (0..<3).map { Date(timeIntervalSinceReferenceDate: Double($0) * 86_400) }

  private static func store(_ errands: [Errand]) throws -> Store<Errands> {
    let store = Store(Errands())
    try store.write { value in for errand in errands { try value.errands.upsert(errand) } }
    return store
  }

  private static func ids<Section>(_ updates: LiveList<Errand, Section>.Updates) async -> [Int]? {
    var iterator = updates.makeAsyncIterator()
    return await iterator.next()?.list.map(\.id)
  }

  @Test func listsBySingleKeys() async throws {
    let store = try Self.store([
      Errand(id: 1, due: Self.days[2]), Errand(id: 2, due: nil, isDone: true),
      Errand(id: 3, due: Self.days[0], urgency: .high),
      Errand(id: 4, due: nil),
    ])
    #expect(await Self.ids(store.observe(\.errands, sortedBy: \.due)) == [2, 4, 3, 1])
    #expect(await Self.ids(store.observe(\.errands, sortedBy: \.due, order: .descending)) == [1, 3, 4, 2])
    #expect(await Self.ids(store.observe(\.errands, sortedBy: \.isDone)) == [1, 3, 4, 2])
    #expect(await Self.ids(store.observe(\.errands, sortedBy: \.urgency, order: .descending)) == [3, 4, 2, 1])
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func listsBySeveralKeysFollow() async throws {
    let store = try Self.store([
      Errand(id: 1, title: "b", due: Self.days[1]), Errand(id: 2, title: "a", due: Self.days[1]),
      Errand(id: 3, due: nil, isDone: true),
    ])
    let updates = store.observe(
      \.errands, sortedBy: { CompoundKey($0.isDone, $0.due, $0.title) }, sectionedBy: { CompoundKey($0.isDone) },
      sectionOrder: .descending)
    var iterator = updates.makeAsyncIterator()
    let first = try #require(await iterator.next())
    #expect(first.list.map(\.id) == [3, 2, 1])
    #expect(first.list.sections.map { $0.key.keys } == [true, false])
    try store.write { try $0.errands.update(1) { $0.due = nil } }
    #expect(await iterator.next()?.list.map(\.id) == [3, 1, 2])
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func indexesOfSeveralKeys() throws {
    let table = try Self.store([
      Errand(id: 1, due: Self.days[1]), Errand(id: 2, due: nil), Errand(id: 3, due: Self.days[0], isDone: true),
      Errand(id: 4, due: Self.days[0]), Errand(id: 5, cost: .nan), Errand(id: 6, cost: -0.0),
    ]).snapshot().value.errands
    #expect(table.records(in: Errand.byState).map(\.id) == [2, 5, 6, 4, 1, 3])
    #expect(table.records(in: Errand.byState, at: Errand.State(false, nil)).map(\.id) == [2, 5, 6])
    #expect(table.records(in: Errand.byState, from: ..<Errand.State(true, nil)).map(\.id) == [2, 5, 6, 4, 1])
    let days = Errand.State(false, Self.days[0])...Errand.State(false, Self.days[1])
    #expect(table.records(in: Errand.byState, from: days).map(\.id) == [4, 1])
    // A key with a NaN has one place, after all others.
    #expect(table.records(in: Errand.byCost, at: CompoundKey(.nan)).map(\.id) == [5])
    #expect(table.records(in: Errand.byCost, at: CompoundKey(0)).map(\.id) == [1, 2, 3, 4, 6])
    #expect(table.records(in: Errand.byCost).map(\.id).last == 5)
  }

  /// The order is total and is decided by the first key that differs.
  @Test func theOrderIsTotal() {
    each(SeededGenerator.seeds(4)) { (seed: UInt64) throws in
      var random = SeededGenerator(seed: seed)
      let numbers: [Double] = [.nan, -.infinity, -1, 0, -0.0, .infinity]
      let keys = (0..<60).map { _ in
        CompoundKey(
          Bool.random(using: &random), Bool.random(using: &random) ? nil : numbers.randomElement(using: &random),
          ["", "a", "b"].randomElement(using: &random) ?? "")
      }
      for a in keys {
        for b in keys {
          #expect([a < b, b < a, a == b].count { $0 } == 1)
          if a.keys.0 != b.keys.0 { #expect((a < b) == b.keys.0) }
          for c in keys where a < b && b < c { #expect(a < c) }
        }
      }
      #expect(keys.sorted().reversed() == keys.sorted(by: >))
    }
  }
}
