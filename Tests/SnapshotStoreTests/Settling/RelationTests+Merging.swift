import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// What a relation restores and removes when two sides are merged, and what it leaves to a salvage.
extension RelationTests {
  private func merged(
    _ base: Shop, ours: (inout Shop) throws -> Void, theirs: (inout Shop) throws -> Void
  ) throws -> (content: SnapshotContent<Shop>, conflicts: [MergeConflict], repaired: [Violation]) {
    let stores = (Store(base), Store(base))
    try stores.0.write(ours)
    try stores.1.write(theirs)
    return try SnapshotContent.settledMerge(
      base: SnapshotContent(base), ours: SnapshotContent(stores.0.read { $0 }),
      theirs: SnapshotContent(stores.1.read { $0 }))
  }

  /// An edit outlives a removal, as in every merge.
  @Test(arguments: [false, true]) func whatASideStillNeedsIsRestored(_ isOurs: Bool) throws {
    let remove = { (shop: inout Shop) in _ = shop.orders.remove(1) }
    let add = { (shop: inout Shop) in try shop.items.insert(Item(id: 8, order: 1)) }
    let result = try merged(try Shop.filled(), ours: isOurs ? remove : add, theirs: isOurs ? add : remove)
    let shop = result.content.value
    // The other items are gone with the order: one side removed them, and the other has not touched them.
    #expect(shop.orders.contains(1) && shop.items.ids == [8] && shop.deletedOrders.isEmpty)
    #expect(
      result.repaired.map(\.description) == [
        "orders 1: removed by one side, and restored for items 8, which the other side has changed",
        "deletedOrders 1: removed, because the record exists",
      ])
    #expect(shop.allViolations() == [])
  }

  /// The restored order needs its customer, whom the same side has removed.
  @Test func whatIsRestoredNeedsMore() throws {
    let result = try merged(
      try Shop.filled(),
      ours: { shop in
        shop.orders.remove(1)
        shop.customers.remove(1)
      }, theirs: { try $0.items.insert(Item(id: 8, order: 1)) })
    let shop = result.content.value
    #expect(shop.orders.contains(1) && shop.customers.contains(1))
    #expect(result.repaired.map(\.place) == ["orders 1", "customers 1", "deletedOrders 1"])
    #expect(shop.allViolations() == [])
  }

  @Test func aRemovalAndANewReference() throws {
    let result = try merged(
      try Shop.filled(), ours: { $0.customers.remove(3) },
      theirs: { try $0.orders.insert(Order(id: 5, customer: 3)) })
    // Relations that clear have cleared on our side. The one that refuses restores.
    #expect(result.content.value.customers.contains(3) && result.content.value.orders[5]?.customer == 3)
    #expect(result.content.value.items.allSatisfy { $0.seller == nil })
    let labels = try merged(
      try Shop.filled(), ours: { $0.labels.remove("a") },
      theirs: { try $0.items.insert(Item(id: 5, order: 2, labels: ["a"])) })
    #expect(labels.content.value.items[5]?.labels == [] && labels.content.value.labels.ids == ["b"])
    #expect(labels.repaired == [] && labels.conflicts == [])
  }

  /// A program without the types has removed an order and left its items.
  @Test(arguments: [ExternalChange.Policy.merge, .reload]) func anotherProgramKnowsNoRelation(
    _ policy: ExternalChange.Policy
  ) async throws {
    let test = StoreUnderTest()
    test.bytes = try SnapshotFile.encode(try Shop.filled(), as: .json)
    var options = StoreOptions(policy: .manual)
    options.externalChanges = policy
    let store = try test.open(Shop.self, options)
    if policy == .merge { try store.write { try $0.orders.update(2) { $0.note = "ours" } } }
    var theirs = try test.stored(Shop.self)
    theirs.orders.remove(1)
    theirs.labels.remove("a")
    test.bytes = try SnapshotFile.encode(theirs, as: .json)
    _ = await store.checkFile()
    #expect(store.read { $0.items.isEmpty && $0.orders.ids == [2] && $0.deletedOrders.ids == [1] })
    #expect(store.read { $0.allViolations() } == [])
    try await store.close()
  }

  /// Our unsaved change of an item outlives the removal of its order.
  @Test func anEditorRemovesWhatAnUnsavedChangeNeeds() async throws {
    let test = StoreUnderTest()
    test.bytes = try SnapshotFile.encode(try Shop.filled(), as: .json)
    var options = StoreOptions(policy: .manual)
    options.externalChanges = .merge
    let store = try test.open(Shop.self, options)
    try store.write { try $0.items.update(2) { $0.labels = ["b"] } }
    var theirs = try test.stored(Shop.self)
    theirs.orders.remove(1)
    test.bytes = try SnapshotFile.encode(theirs, as: .json)
    guard case .merged(let outcome, _)? = await store.checkFile() else { return #expect(Bool(false)) }
    #expect(outcome.repaired.map(\.place).contains("orders 1"))
    #expect(store.read { $0.orders.contains(1) && $0.items[2]?.labels == ["b"] && $0.allViolations() == [] })
    try await store.close()
  }

  /// Tombstones and dates decide. An item of the other copy that nobody has removed needs its order.
  @Test func aMergeWithoutABaseLosesNothing() throws {
    let stores = (Store(try Shop.filled()), Store(try Shop.filled()))
    try stores.0.write { _ = $0.orders.remove(1) }
    try stores.1.write { try $0.items.insert(Item(id: 8, order: 1)) }
    for (ours, theirs) in [stores, (stores.1, stores.0)] {
      let merged = try SnapshotContent.settledMerge(
        base: nil, ours: SnapshotContent(ours.read { $0 }), theirs: SnapshotContent(theirs.read { $0 }))
      let shop = merged.content.value
      #expect(shop.items.contains(8) && shop.orders.contains(1) && shop.allViolations() == [])
    }
  }

  /// Each step of the way back finds the next one.
  @Test func aLongChainIsRestored() throws {
    var tree = Tree()
    try tree.folders.upsert(contentsOf: (0..<2_000).map { Folder(id: $0, parent: $0 == 0 ? nil : $0 - 1) })
    let (ours, theirs) = (Store(tree), Store(tree))
    try ours.write { _ = $0.folders.remove(0) }
    try theirs.write { try $0.folders.insert(Folder(id: 5_000, parent: 1_999)) }
    let merged = try SnapshotContent.settledMerge(
      base: SnapshotContent(tree), ours: SnapshotContent(ours.read { $0 }),
      theirs: SnapshotContent(theirs.read { $0 }))
    #expect(merged.content.value.folders.count == 2_001 && merged.content.value.allViolations() == [])
  }

  /// An undo removes an order to which someone else has added an item.
  @Test func anUndoBesideOthers() throws {
    let store = Store(try Shop.filled())
    let history = UndoHistory(of: store, excluding: ["other"])
    try store.write { try $0.orders.insert(Order(id: 3)) }
    try store.write(origin: "other") { try $0.items.insert(Item(id: 9, order: 3)) }
    _ = try? history.undo()
    #expect(store.read { $0.items[9] != nil && $0.orders.contains(3) && $0.allViolations() == [] })
  }

  @Test func aScratchpadOfARemovedOrder() throws {
    let store = Store(try Shop.filled())
    let pad = store.scratchpad()
    try pad.write { try $0.items.update(2) { $0.labels = ["b"] } }
    try store.write { _ = $0.orders.remove(1) }
    let outcome = try pad.commit(policy: .ours)
    #expect(store.read { $0.orders.contains(1) && $0.items.ids == [2] && $0.allViolations() == [] })
    #expect(outcome.conflicts.count == 1 && outcome.repaired.map(\.place) == ["orders 1", "deletedOrders 1"])
  }

  @Test func aLostRecordLeavesWhatRefersToIt() throws {
    let text = String(decoding: try SnapshotFile.encode(try Shop.filled(), as: .json), as: UTF8.self)
    let broken = text.replacing("{\"id\":1,\"customer\":1", with: "{\"id\":1,,\"customer\":1")
    #expect(broken != text)
    let salvaged = try Salvaged<Shop>(of: Array(broken.utf8))
    #expect(salvaged.value.orders.ids == [2] && salvaged.value.items.count == 3)
    #expect(salvaged.value.allViolations().count == 3)
  }

  /// A file may have what a relation forbids. It must be possible to remove it, and to take that back.
  @Test func whatWasWrongBeforeCanBeUndone() throws {
    var shop = try Shop.filled()
    shop.orders.remove(1)
    let store = Store(shop)
    let history = UndoHistory(of: store)
    try store.write { _ = $0.items.remove(1) }
    #expect(throws: Never.self) { try history.undo() }
    #expect(store.read { $0.items.count } == 3)
    #expect(refusal(of: store) { try $0.items.insert(Item(id: 9, order: 1)) }.count == 1)
  }

  /// A model whose own functions keep the relation in transactions.
  struct Careful: Model {
    var items = Table<Item>()
    var labels = Table<Label>()
    static let schema = Schema<Careful>(
      "careful", version: 1,
      Field("items", \.items),
      Field("labels", \.labels),
      relations: [Relation(\.items, Item.byLabel, to: \.labels, onRemove: .clear(\.labels))],
      settlesTransactions: false)
  }

  @Test func onlyTransactionsAreLeftToTheModel() throws {
    var value = Careful()
    for label in ["a", "b"] { try value.labels.insert(Label(id: label)) }
    try value.items.insert(Item(id: 1, order: 1))
    let store = Store(value)
    let history = UndoHistory(of: store, excluding: ["other"])
    try store.write { try $0.items.update(1) { $0.labels = ["a", "b"] } }
    try store.write { try $0.items.update(1) { $0.labels = [] } }
    try store.write(origin: "other") { $0.labels.remove("a") }
    try history.undo()
    #expect(store.read { $0.items[1]?.labels == ["b"] && $0.allViolations() == [] })
    // A transaction is not checked.
    try store.write { $0.labels.remove("b") }
    #expect(store.read { $0.items[1]?.labels } == ["b"])
  }

  struct Unlisted: Model {
    struct Item: Record {
      let id: Int
      var label: String
      static let byLabel = Index<Item, String>("label") { $0.label }
    }

    var items = Table<Item>()
    var labels = Table<Label>()
    static let schema = Schema<Unlisted>(
      "unlisted", version: 1,
      Field("items", \.items),
      Field("labels", \.labels),
      relations: [Relation(\.items, Item.byLabel, to: \.labels, onRemove: .cascade)])
  }

  @Test func anIndexThatTheTableDoesNotKeepTraps() async {
    await #expect(processExitsWith: .failure) { _ = Store<Unlisted>() }
  }
}
