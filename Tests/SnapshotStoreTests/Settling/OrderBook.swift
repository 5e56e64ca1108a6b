import Foundation

@testable import SnapshotStore

/// Orders with a total that a rule computes, and their items.
struct OrderBook: Model {
  struct Order: Record, Equatable {
    let id: Int
    var note = ""
    var total = 0
    var label: String?
    static let mergeRules: [MergeRule] = [.derived("total")]
    static let byLabel = Index<Order, String>("label") { $0.label }
    static let indexes = Indexes(byLabel)
  }

  struct Label: Record, Equatable {
    let id: String
  }

  /// A remark on an item.
  struct Remark: Record, Equatable {
    let id: Int
    var item: Int
    var changed = OrderBook.start
    static let mergeRules: [MergeRule] = [.modified("changed")]
    static let byItem = Index<Remark, Int>("item") { $0.item }
    static let indexes = Indexes(byItem)
  }

  struct Item: Record, Equatable {
    let id: Int
    var order: Int
    var price: Int
    var sku: String?
    var changed = OrderBook.start
    static let mergeRules: [MergeRule] = [.modified("changed")]
    static let byOrder = Index<Item, Int>("order") { $0.order }
    static let bySKU = Index<Item, String>("sku", unique: true) { $0.sku }
    static let indexes = Indexes(byOrder, bySKU)
  }

  /// The number of items.
  struct Counts: Codable, Equatable, Sendable {
    var items = 0
  }

  static let start = Date(timeIntervalSinceReferenceDate: 800_000_000)

  var orders = Table<Order>()
  var items = Table<Item>()
  var deletedItems = Table<Tombstone<Item>>()
  var labels = Table<Label>()
  var remarks = Table<Remark>()
  var deletedRemarks = Table<Tombstone<Remark>>()
  var counts = Counts()

  static let schema = Schema<OrderBook>(
    "orderbook", version: 2,
    Field("orders", \.orders),
    Field("items", \.items),
    Field("deletedItems", \.deletedItems),
    Field("labels", \.labels),
    Field("remarks", \.remarks),
    Field("deletedRemarks", \.deletedRemarks),
    Field("counts", \.counts).derived(),
    migrations: [Migration("nothing", to: 2) { _ in }],
    relations: [
      Relation(\.remarks, Remark.byItem, to: \.items, onRemove: .cascade),
      Relation(\.orders, Order.byLabel, to: \.labels, onRemove: .clear(\.label)),
    ],
    rules: [
      Rule("totals", on: \.items) { changes, book in
        for order in Set(changes.flatMap { [$0.before?.order, $0.after?.order].compactMap(\.self) }) {
          guard book.orders.contains(order) else { continue }
          let total = book.items.records(in: Item.byOrder, at: order).reduce(0) { $0 + $1.price }
          if book.orders[order]?.total != total { try book.orders.update(order) { $0.total = total } }
        }
      },
      Rule("counts", on: \.items) { _, book in book.counts.items = book.items.count },
    ],
    validations: [
      Validation("price", on: \.items) { item, _ in item.price > 0 ? nil : "the price is \(item.price)" },
      Validation("order", on: \.items) { item, book in
        book.orders.contains(item.order) ? nil : "there is no order \(item.order)"
      },
      Validation("orders") { changes in
        let items = changes.after.items
        return changes.changes(in: \.orders)
          .filter { $0.after == nil && items.count(in: Item.byOrder, at: $0.id) > 0 }
          .map { Violation(place: "orders \($0.id)", message: "it has items") }
      },
      Validation("total", on: \.orders) { order, _ in order.total <= 50 ? nil : "the total is \(order.total)" },
    ],
    tombstones: [
      Tombstones(of: \.items, in: \.deletedItems), Tombstones(of: \.remarks, in: \.deletedRemarks),
    ])

  /// Orders 1, 2 and 3, the first with an item of price 1 and one of price 2. Each item has a remark, and order 3 a
  /// label.
  static func filled() throws -> OrderBook {
    let store = Store(OrderBook())
    try store.write { book in
      for id in 1...3 { try book.orders.insert(Order(id: id)) }
      for id in 1...2 { try book.add(id, to: 1, price: id) }
      for id in 1...2 { try book.remarks.insert(Remark(id: id, item: id)) }
      for label in ["late", "gift", "dear", "new"] { try book.labels.insert(Label(id: label)) }
      try book.orders.update(3) { $0.label = "late" }
    }
    return store.read { $0 }
  }

  /// What the rules would change, and everything else that is wrong.
  func problems() -> [String] {
    let wrong = orders.compactMap { order -> String? in
      let total = items.records(in: Item.byOrder, at: order.id).reduce(0) { $0 + $1.price }
      return order.total == total ? nil : "order \(order.id) has \(order.total), not \(total)"
    }
    let count = counts.items == items.count ? [] : ["\(counts.items) items are counted, not \(items.count)"]
    return wrong + count + allViolations()
  }

  mutating func add(_ id: Int, to order: Int, price: Int, sku: String? = nil) throws {
    try items.insert(Item(id: id, order: order, price: price, sku: sku))
  }

  mutating func setPrice(_ id: Int, _ price: Int, at seconds: Double = 0) throws {
    try items.update(id) {
      $0.price = price
      $0.changed += seconds
    }
  }
}

/// The example of the guide: a pot whose glaze is removed has none.
struct Pottery: Model {
  struct Glaze: Record {
    let id: String
  }

  struct Pot: Record {
    let id: Int
    var price = 20
    var glaze: String?
    static let byGlaze = Index<Pot, String>("glaze") { $0.glaze }
    static let indexes = Indexes(byGlaze)
  }

  var glazes = Table<Glaze>()
  var pots = Table<Pot>()

  static let schema = Schema<Pottery>(
    "pottery", version: 1,
    Field("glazes", \.glazes),
    Field("pots", \.pots),
    rules: [
      Rule("glazes", on: \.glazes) { changes, pottery in
        for change in changes where change.after == nil {
          for pot in Array(pottery.pots.records(in: Pot.byGlaze, at: change.id)) {
            try pottery.pots.update(pot.id) { $0.glaze = nil }
          }
        }
      }
    ])

  /// A pot without a glaze, and the glaze “ash”.
  static func filled() throws -> Pottery {
    var pottery = Pottery()
    try pottery.glazes.insert(Glaze(id: "ash"))
    try pottery.pots.insert(Pot(id: 1))
    return pottery
  }

  var isSound: Bool { pots.allSatisfy { $0.glaze.map(glazes.contains) ?? true } }
}
