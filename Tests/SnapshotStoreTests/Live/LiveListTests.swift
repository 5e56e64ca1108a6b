import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Lists as values, and keys that are hard to sort.
struct LiveListTests {
  struct Reading: Record {
    let id: Int
    var value: Double
  }

  struct Log: Model {
    var readings = Table<Reading>()
    static let schema = Schema<Log>("log", version: 1, Field("readings", \.readings))
  }

  @Test func aKeptListStaysAsItIs() async throws {
    let store = Store(try House((0..<1_000).map { Chore(id: $0, rank: -$0) }))
    var iterator = store.observe(\.chores, sortedBy: \.rank).makeAsyncIterator()
    let first = try #require(await iterator.next()).list
    try store.write { $0.chores.removeAll() }
    let second = try #require(await iterator.next()).list
    #expect(first.map(\.id) == (0..<1_000).reversed())
    #expect(second.isEmpty)
    #expect(second.sections == [])
  }

  @Test func oneSectionIfNoneAreAskedFor() async throws {
    let store = Store(try House([Chore(id: 1), Chore(id: 2)]))
    let list = store.observe(\.chores, sortedBy: \.rank, order: .descending).current()
    #expect(list.sections == [.init(key: NoSections(), range: 0..<2)])
    #expect(list.map(\.id) == [2, 1])
    #expect(list.index(of: Chore(id: 2)) == 0)
    #expect(list.index(of: Chore(id: 3)) == nil)
    #expect(list.description == "LiveList<Chore>(2)")
  }

  @Test func aLimitCountsAll() throws {
    let store = Store(try House((0..<10).map { Chore(id: $0) }))
    let list = store.observe(\.chores, sortedBy: \.rank, limit: 3).current()
    #expect((list.count, list.matchCount) == (3, 10))
    #expect(list.index(of: Chore(id: 5)) == nil)
    #expect(store.observe(\.chores, sortedBy: \.rank, limit: -1).current().isEmpty)
  }

  // A key that is not equal to itself has a place too: after all others.
  @Test func keysThatAreNoNumbers() {
    each(SeededGenerator.seeds(5), [RecordOrder.ascending, .descending]) { (seed: UInt64, order: RecordOrder) throws in
      var random = SeededGenerator(seed: seed)
      let values: [Double] = [.nan, 1, 2, -.infinity, .infinity, -0.0, 0]
      var table = Table<Reading>()
      let slice = LiveSlice<Reading, Double>(
        where: { _ in true }, sortedBy: \.value, order: order, sectionedBy: \.value, sectionOrder: order, limit: nil)
      var list = LiveList(slice, of: table)
      for _ in 0..<300 {
        let before = table
        let value = values.randomElement(using: &random) ?? 0
        try table.upsert(Reading(id: Int.random(in: 0..<40, using: &random), value: value))
        if Bool.random(using: &random) { table.remove(Int.random(in: 0..<40, using: &random)) }
        let batch = list.updated(from: before, to: table)
        var ids = list.map(\.id)
        var records = Array(list)
        batch.apply(to: &records)
        ids = records.map(\.id)
        list = batch.after
        #expect(ids == list.map(\.id))
        #expect(list.count == table.count)
        let sorted = list.map(\.value).filter { !$0.isNaN }
        #expect(sorted == sorted.sorted { order == .ascending ? $0 < $1 : $0 > $1 })
        let isNaN = list.map(\.value.isNaN)
        #expect(isNaN == isNaN.sorted { a, b in order == .ascending ? !a && b : a && !b })
        #expect(list.sections.map(\.range.count).reduce(0, +) == list.count)
        #expect(list.sections.count <= 6)
      }
    }
  }

  // Such functions are forbidden. Their result is wrong, but there is neither a trap nor a hang.
  @Test func functionsThatChangeTheirMinds() {
    each(SeededGenerator.seeds(5)) { (seed: UInt64) throws in
      final class Whim: @unchecked Sendable {
        var random: SeededGenerator
        init(_ seed: UInt64) { random = SeededGenerator(seed: seed) }
        func next() -> Int { Int.random(in: 0..<5, using: &random) }
      }
      let whim = Whim(seed)
      let slice = LiveSlice<Chore, Int>(
        where: { _ in whim.next() > 0 }, sortedBy: { _ in whim.next() }, order: .ascending,
        sectionedBy: { _ in whim.next() }, sectionOrder: .ascending, limit: 20)
      var random = SeededGenerator(seed: seed)
      var house = House()
      var list = LiveList(slice, of: house.chores)
      for _ in 0..<300 {
        let before = house.chores
        try house.changeAtRandom(&random, ids: 40)
        let batch = list.updated(from: before, to: house.chores)
        var records = Array(list)
        batch.apply(to: &records)
        var keys = list.sections.map(\.key)
        batch.apply(toSections: &keys)
        list = batch.after
      }
    }
  }
}
