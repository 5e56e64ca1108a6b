import Synchronization
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// A record with very many keys may come from a malicious file, and must not take the program's time. For k keys an
/// index sorts: k · log k comparisons, not k².
struct IndexCostTests {
  /// A key that counts comparisons.
  struct CountedKey: Comparable, Sendable {
    static let comparisons = Atomic<Int>(0)
    let number: Int

    static func == (a: CountedKey, b: CountedKey) -> Bool {
      comparisons.add(1, ordering: .relaxed)
      return a.number == b.number
    }

    static func < (a: CountedKey, b: CountedKey) -> Bool {
      comparisons.add(1, ordering: .relaxed)
      return a.number < b.number
    }
  }

  struct Basket: Record {
    let id: Int
    var items: [Int]

    static let byItem = Index<Basket, CountedKey>("item", each: { $0.items.map(CountedKey.init) })
    static let indexes = Indexes(byItem)
  }

  /// A single test, since the counter is shared.
  @Test func manyKeysOfOneRecordAreSorted() throws {
    let count = 1_000
    let limit = count * 200
    // Each twice, and not in order.
    let items = (0..<2 * count).map { ($0 * 7_919) % count }

    CountedKey.comparisons.store(0, ordering: .relaxed)
    var table = try Table([Basket(id: 1, items: items)])
    #expect(CountedKey.comparisons.load(ordering: .relaxed) < limit, "building")

    CountedKey.comparisons.store(0, ordering: .relaxed)
    try table.update(1) { $0.items.append(count) }
    #expect(CountedKey.comparisons.load(ordering: .relaxed) < limit, "adding a key")

    CountedKey.comparisons.store(0, ordering: .relaxed)
    try table.insert(Basket(id: 2, items: items))
    #expect(CountedKey.comparisons.load(ordering: .relaxed) < limit, "inserting")

    CountedKey.comparisons.store(0, ordering: .relaxed)
    table.remove(2)
    #expect(CountedKey.comparisons.load(ordering: .relaxed) < limit, "removing")

    // A record that stands at each of the first thousand places.
    try table.update(1) { $0.items += 10_000..<20_000 }
    try table.insert(Basket(id: 2, items: Array(10_000..<20_000)))
    CountedKey.comparisons.store(0, ordering: .relaxed)
    let found = table.search(in: [{ "\($0.id)" }], for: "", by: Basket.byItem, order: .descending)
    #expect(found.map(\.record.id) == [2, 1])
    #expect(CountedKey.comparisons.load(ordering: .relaxed) < 10 * limit, "searching")
    table.remove(2)

    #expect(table.records(in: Basket.byItem).map(\.id).count == count + 10_001)
    #expect(table.invariantViolations() == [])
  }
}
