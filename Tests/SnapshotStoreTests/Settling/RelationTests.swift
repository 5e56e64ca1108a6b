import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// What a relation does with records that refer to others.
struct RelationTests {
  struct Customer: Record, Equatable {
    let id: Int
    var name = ""
  }

  struct Order: Record, Equatable {
    let id: Int
    var customer: Int?
    var note = ""
    static let byCustomer = Index<Order, Int>("customer") { $0.customer }
    static let indexes = Indexes(byCustomer)
  }

  struct Item: Record, Equatable {
    let id: Int
    var order: Int
    var labels: [String] = []
    var seller: Int?
    static let byOrder = Index<Item, Int>("order") { $0.order }
    static let byLabel = Index<Item, String>("label", each: { $0.labels })
    static let bySeller = Index<Item, Int>("seller") { $0.seller }
    static let indexes = Indexes(byOrder, byLabel, bySeller)
  }

  struct Label: Record, Equatable {
    let id: String
  }

  struct Shop: Model {
    var customers = Table<Customer>()
    var orders = Table<Order>()
    var items = Table<Item>()
    var labels = Table<Label>()
    var deletedOrders = Table<Tombstone<Order>>()

    static let schema = Schema<Shop>(
      "shop", version: 1,
      Field("customers", \.customers),
      Field("orders", \.orders),
      Field("items", \.items),
      Field("labels", \.labels),
      Field("deletedOrders", \.deletedOrders),
      relations: [
        Relation(\.items, Item.byOrder, to: \.orders, onRemove: .cascade),
        Relation(\.orders, Order.byCustomer, to: \.customers, onRemove: .refuse),
        Relation(\.items, Item.byLabel, to: \.labels, onRemove: .clear(\.labels)),
        Relation(\.items, Item.bySeller, to: \.customers, onRemove: .clear(\.seller)),
      ],
      tombstones: [Tombstones(of: \.orders, in: \.deletedOrders)])

    static func filled() throws -> Shop {
      var shop = Shop()
      for id in 1...3 { try shop.customers.insert(Customer(id: id)) }
      for id in 1...2 { try shop.orders.insert(Order(id: id, customer: id)) }
      for label in ["a", "b"] { try shop.labels.insert(Label(id: label)) }
      for id in 1...3 { try shop.items.insert(Item(id: id, order: 1, labels: ["a", "b"], seller: 3)) }
      return shop
    }
  }

  func refusal<Root: Model>(of store: Store<Root>, _ change: (inout Root) throws -> Void) -> [String] {
    do {
      try store.write(change)
      return []
    } catch {
      return (error as? TransactionRefusal)?.violations.map(\.description) ?? ["\(error)"]
    }
  }

  // MARK: Transactions

  @Test func theRecordsThatReferGoToo() throws {
    let store = Store(try Shop.filled())
    try store.write { _ = $0.orders.remove(1) }
    #expect(store.read { $0.items.isEmpty && $0.orders.ids == [2] && $0.deletedOrders.ids == [1] })
    #expect(store.read { $0.allViolations() } == [])
  }

  @Test func referencesAreRemoved() throws {
    let store = Store(try Shop.filled())
    try store.write { shop in
      _ = shop.labels.remove("a")
      _ = shop.customers.remove(3)
    }
    #expect(store.read { $0.items.allSatisfy { $0.labels == ["b"] && $0.seller == nil } && $0.items.count == 3 })
    #expect(store.read { $0.allViolations() } == [])
  }

  @Test func aRemovalIsRefused() throws {
    let store = Store(try Shop.filled())
    try store.write { try $0.orders.insert(Order(id: 7, customer: 1)) }
    let found = refusal(of: store) { _ = $0.customers.remove(1) }
    #expect(
      found == [
        "customers 1: it is the customer of orders 1, and 1 other in orders: remove or change what refers to it"
      ])
    #expect(refusal(of: store) { $0.customers.remove([1, 2]) }.count == 2)
    #expect(store.read { $0.customers.count } == 3)
    // With those that refer to it, it can be.
    try store.write { shop in
      shop.customers.remove(1)
      shop.orders.remove(1)
      try shop.orders.update(7) { $0.customer = nil }
    }
    #expect(store.read { $0.items.isEmpty && $0.customers.ids == [2, 3] && $0.allViolations() == [] })
  }

  @Test func aReferenceThatLeadsNowhereIsRefused() throws {
    let store = Store(try Shop.filled())
    let found = refusal(of: store) { shop in
      try shop.items.insert(Item(id: 9, order: 8, labels: ["x", "a", "y"]))
      try shop.orders.update(1) { $0.customer = 5 }
    }
    #expect(
      found == [
        "items 9: its order “8” does not exist", "orders 1: its customer “5” does not exist",
        "items 9: its label “x” does not exist", "items 9: its label “y” does not exist",
      ])
    // In any order within a transaction.
    try store.write { shop in
      try shop.items.insert(Item(id: 9, order: 8))
      try shop.orders.insert(Order(id: 8))
    }
    // A removed record that comes back is not removed.
    try store.write { shop in
      shop.orders.remove(1)
      try shop.orders.insert(Order(id: 1, note: "again"))
    }
    #expect(store.read { $0.items.count == 4 && $0.allViolations() == [] })
  }

  @Test func theCheckFindsWhatAFileBrings() throws {
    var shop = try Shop.filled()
    shop.orders.remove(1)
    shop.labels.remove("b")
    let found = shop.allViolations()
    #expect(found.count == 6 && found.contains("items 2: its order “1” does not exist"))
    #expect(found.contains("items 3: its label “b” does not exist"))
    // A store opens it, and other changes are possible.
    let store = Store(shop)
    try store.write { try $0.orders.update(2) { $0.note = "x" } }
    #expect(refusal(of: store) { try $0.items.update(2) { $0.seller = nil } }.count == 2)
    try store.write { try $0.orders.insert(Order(id: 1)) }
    #expect(store.read { $0.items.count } == 3)
  }

  // MARK: Chains and cycles

  struct Folder: Record {
    let id: Int
    var parent: Int?
    static let byParent = Index<Folder, Int>("parent") { $0.parent }
    static let indexes = Indexes(byParent)
  }

  struct Tree: Model {
    var folders = Table<Folder>()
    static let schema = Schema<Tree>(
      "tree", version: 1,
      Field("folders", \.folders),
      relations: [Relation(\.folders, Folder.byParent, to: \.folders, onRemove: .cascade)])
  }

  /// Far more steps than rules have rounds.
  @Test func aChainIsFollowedToItsEnd() throws {
    let store = Store(Tree())
    try store.write { tree in
      try tree.folders.upsert(contentsOf: (0..<5_000).map { Folder(id: $0, parent: $0 == 0 ? nil : $0 - 1) })
    }
    try store.write { _ = $0.folders.remove(100) }
    #expect(store.read { $0.folders.count } == 100)
  }

  @Test func aRecordMayReferToItselfAndInACircle() throws {
    let store = Store(Tree())
    try store.write { tree in
      try tree.folders.upsert(contentsOf: (0..<6).map { Folder(id: $0, parent: ($0 + 1) % 6) })
      try tree.folders.insert(Folder(id: 9, parent: 9))
    }
    try store.write { _ = $0.folders.remove(3) }
    #expect(store.read { $0.folders.ids == [9] })
    try store.write { _ = $0.folders.remove(9) }
    #expect(store.read { $0.folders.isEmpty })
  }

  struct Left: Record {
    let id: Int
    var right: Int
    static let byRight = Index<Left, Int>("right") { $0.right }
    static let indexes = Indexes(byRight)
  }

  struct Right: Record {
    let id: Int
    var left: Int
    static let byLeft = Index<Right, Int>("left") { $0.left }
    static let indexes = Indexes(byLeft)
  }

  struct Circle: Model {
    var lefts = Table<Left>()
    var rights = Table<Right>()
    static let schema = Schema<Circle>(
      "circle", version: 1,
      Field("lefts", \.lefts),
      Field("rights", \.rights),
      relations: [
        Relation(\.lefts, Left.byRight, to: \.rights, onRemove: .cascade),
        Relation(\.rights, Right.byLeft, to: \.lefts, onRemove: .cascade),
      ])
  }

  @Test func twoTablesMayReferToEachOther() throws {
    let store = Store(Circle())
    let count = 400
    try store.write { circle in
      try circle.lefts.upsert(contentsOf: (0..<count).map { Left(id: $0, right: $0) })
      try circle.rights.upsert(contentsOf: (0..<count).map { Right(id: $0, left: ($0 + 1) % count) })
    }
    try store.write { _ = $0.rights.remove(17) }
    #expect(store.read { $0.lefts.isEmpty && $0.rights.isEmpty })
  }
}
