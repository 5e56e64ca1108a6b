import Testing

@testable import SnapshotStore

/// Relations of a part, and from the whole to a part.
extension RelationTests {
  struct Town: Model {
    var shop = Shop()
    var market = Shop()
    static let schema = Schema<Town>(
      "town", version: 1,
      Field(part: \.shop),
      Field(part: \.market, prefix: "market."))
  }

  /// A table of the whole refers to one of a part, whose own relations need more.
  struct Ticket: Record {
    let id: Int
    var order: Int
    static let byOrder = Index<Ticket, Int>("order") { $0.order }
    static let indexes = Indexes(byOrder)
  }

  struct Counter: Model {
    var shop = Shop()
    var tickets = Table<Ticket>()
    static let schema = Schema<Counter>(
      "counter", version: 1,
      Field(part: \.shop),
      Field("tickets", \.tickets),
      relations: [Relation(\.tickets, Ticket.byOrder, to: \.shop.orders, onRemove: .cascade)])
  }

  @Test func whatAPartNeedsIsRestoredToo() throws {
    var base = Counter()
    base.shop = try Shop.filled()
    let (ours, theirs) = (Store(base), Store(base))
    try ours.write { counter in
      counter.shop.orders.remove(1)
      counter.shop.customers.remove(1)
    }
    try theirs.write { try $0.tickets.insert(Ticket(id: 1, order: 1)) }
    let merged = try SnapshotContent.settledMerge(
      base: SnapshotContent(base), ours: SnapshotContent(ours.read { $0 }),
      theirs: SnapshotContent(theirs.read { $0 }))
    let value = merged.content.value
    #expect(value.shop.orders.contains(1) && value.shop.customers.contains(1) && value.tickets.count == 1)
    #expect(value.allViolations() == [])
  }

  @Test func aPartKeepsItsRelations() throws {
    let store = Store(Town())
    try store.write { town in
      town.shop = try Shop.filled()
      town.market = try Shop.filled()
    }
    #expect(
      refusal(of: store) { try $0.market.items.insert(Item(id: 9, order: 8)) } == [
        "market.items 9: its order “8” does not exist"
      ])
    try store.write { _ = $0.market.orders.remove(1) }
    #expect(store.read { $0.market.items.isEmpty && $0.shop.items.count == 3 && $0.allViolations() == [] })
    let base = store.read { $0 }
    let pad = store.scratchpad()
    try pad.write { try $0.shop.items.insert(Item(id: 8, order: 1)) }
    try store.write { _ = $0.shop.orders.remove(1) }
    #expect(try pad.commit().repaired.map(\.place) == ["orders 1", "deletedOrders 1"])
    #expect(store.read { $0.shop.orders.contains(1) && $0.market.hasSameRecords(as: base.market) })
  }
}
