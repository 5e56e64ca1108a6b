import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Derived values are right after merges, undos and migrations too.
struct RuleMergeTests {
  struct Item: Record {
    let id: Int
    var order: Int
    var amount: Int
  }

  /// The order with an id has the sum of its items; an order without items has no total.
  struct Shop: Model {
    var items = Table<Item>()
    var totals = Table<Counter>()

    static let schema = Schema<Shop>(
      "shop", version: 2,
      Field("items", \.items),
      Field("totals", \.totals),
      migrations: [
        Migration("amounts were cents", to: 2) { tree in
          try tree["items"].change { $0["amount"] = UntypedValue(($0["amount"]?.integer ?? 0) / 100) }
        }
      ],
      rules: [
        Rule("totals", on: \.items) { changes, shop in
          for order in Set(changes.flatMap { [$0.before?.order, $0.after?.order].compactMap(\.self) }) {
            let amounts = shop.items.filter { $0.order == order }.map(\.amount)
            if amounts.contains(13) { throw BadLuck() }
            shop.totals.remove(order)
            if !amounts.isEmpty { try shop.totals.insert(Counter(id: order, value: amounts.reduce(0, +))) }
          }
        }
      ],
      validations: [
        Validation("few", on: \.totals) { total, _ in total.value > 100 ? "is more than 100" : nil }
      ])

    func violations() -> [Violation] {
      Set(items.map(\.order)).union(totals.ids).sorted().compactMap { order in
        let sum = items.filter { $0.order == order }.reduce(0) { $0 + $1.amount }
        return totals[order]?.value == sum ? nil : Violation(place: "totals \(order)", message: "is not \(sum)")
      }
    }
  }

  struct BadLuck: Error {}

  private static func total(_ store: Store<Shop>) -> Int? {
    #expect(store.read { $0.allViolations() } == [])
    return store.read { $0.totals[1]?.value }
  }

  private static func add(_ id: Int, _ amount: Int) -> @Sendable (inout Shop) throws -> Void {
    { try $0.items.upsert(Item(id: id, order: 1, amount: amount)) }
  }

  // MARK: Undo

  @Test func anUndoBesideAnothersChange() throws {
    let store = Store(Shop())
    let history = UndoHistory(of: store, excluding: ["other"])
    try store.write(Self.add(1, 5))
    try store.write(origin: "other", Self.add(2, 6))
    try history.undo()
    #expect(Self.total(store) == 6)
    try history.redo()
    #expect(Self.total(store) == 11)
    try store.write(origin: "other") { _ = $0.items.remove(2) }
    try history.undo()
    #expect(Self.total(store) == nil)
  }

  // The step can still be undone.
  @Test func aRuleMayRefuseAnUndo() throws {
    let store = Store(Shop())
    let history = UndoHistory(of: store, excluding: ["other"])
    try store.write(Self.add(1, 7))
    try store.write { try $0.items.upsert(Item(id: 1, order: 2, amount: 7)) }
    try store.write(origin: "other", Self.add(2, 98))
    #expect(throws: TransactionRefusal.self) { try history.undo() }
    #expect(history.undoNames.count == 2 && store.read { $0.totals.map(\.value) } == [98, 7])
    try store.write(origin: "other", Self.add(2, 90))
    try history.undo()
    #expect(Self.total(store) == 97)
  }

  // MARK: Scratchpads and background blocks

  @Test func scratchpadsThatBothAdd() async throws {
    let store = Store(Shop())
    let pads = [store.scratchpad(), store.scratchpad()]
    for (number, pad) in pads.enumerated() { try pad.write(Self.add(number, 5)) }
    for pad in pads { try pad.commit() }
    #expect(Self.total(store) == 10 && pads[1].read { $0.totals[1]?.value } == 10)
    try await store.performBackground { value in
      try Self.add(7, 1)(&value)
      let ended = DispatchSemaphore(value: 0)
      Thread {
        #expect(throws: Never.self) { try store.write(Self.add(8, 2)) }
        ended.signal()
      }.start()
      ended.wait()
    }
    #expect(Self.total(store) == 13)
  }

  // MARK: Files

  private static func world(
    _ policy: ExternalChange.Policy
  ) throws -> (test: StoreUnderTest, store: Store<Shop>) {
    let test = StoreUnderTest()
    var options = StoreOptions(policy: .manual)
    options.externalChanges = policy
    let store = try test.open(Shop.self, options)
    try store.write(add(1, 5))
    try store.flushAndWait()
    return (test, store)
  }

  /// A script without rules.
  private static func edit(_ test: StoreUnderTest, _ body: (inout Shop) throws -> Void) throws {
    var shop = try test.stored(Shop.self)
    try body(&shop)
    test.bytes = try SnapshotFile.encode(shop, as: .json)
  }

  @Test(arguments: [ExternalChange.Policy.merge, .reload]) func aFileThatNobodyAddedUp(
    _ policy: ExternalChange.Policy
  ) async throws {
    let (test, store) = try Self.world(policy)
    try Self.edit(test, Self.add(2, 6))
    _ = await store.checkFile()
    #expect(Self.total(store) == 11)
    try await store.close()
    #expect(try test.stored(Shop.self).allViolations() == [])
  }

  @Test func bothSidesAddedUp() async throws {
    let (test, store) = try Self.world(.merge)
    try store.write(Self.add(3, 7))
    let other = Store(try test.stored(Shop.self))
    try other.write(Self.add(2, 6))
    test.bytes = try SnapshotFile.encode(other.snapshot().value, as: .json)
    _ = await store.checkFile()
    #expect(Self.total(store) == 18)
    try await store.close()
    #expect(try test.stored(Shop.self).allViolations() == [])
  }

  // The store's value is valid; theirs is not lost.
  @Test(arguments: [200, 13]) func whatTheRulesRefuseIsKeptAside(amount: Int) async throws {
    let (test, store) = try Self.world(.merge)
    try Self.edit(test, Self.add(2, amount))
    let theirs = test.bytes
    guard case .rejected(_, let kept?)? = await store.checkFile() else { return #expect(Bool(false)) }
    #expect(Self.total(store) == 5 && test.fileSystem[kept] == theirs)
    try await store.close()
    #expect(try test.stored(Shop.self).items.ids == [1])
  }

  @Test func whatTheRulesRefuseIsNotReloaded() async throws {
    let (test, store) = try Self.world(.reload)
    try Self.edit(test, Self.add(2, 200))
    let theirs = test.bytes
    guard case .rejected(let reason, nil)? = await store.checkFile() else { return #expect(Bool(false)) }
    #expect((reason as? TransactionRefusal)?.violations.map(\.place) == ["totals 1"])
    #expect(Self.total(store) == 5)
    try store.write(Self.add(3, 1))
    await #expect(throws: SnapshotError.self) { try await store.flush() }
    #expect(test.bytes == theirs)
  }

  // MARK: Migrations

  @Test(arguments: [false, true]) func aMigratedFileIsAddedUp(isReadOnly: Bool) throws {
    let test = StoreUnderTest()
    let text = """
      {"snapshot":{"schema":"shop","version":1},
      "items":[
      {"id":1,"order":1,"amount":500},
      {"id":2,"order":1,"amount":600}
      ],
      "totals":[
      {"id":1,"value":1100}
      ]}
      """
    test.bytes = Array(text.utf8)
    let store = try test.open(Shop.self, isReadOnly ? .readOnly : .manual)
    #expect(store.openReport?.migration?.from == 1)
    #expect(Self.total(store) == 11)
  }

  // MARK: A new rule

  // A file of the same version is opened as it is. The author of a new rule runs it explicitly.
  @Test func rulesRunOnAllThatIsThere() throws {
    let test = StoreUnderTest()
    var shop = Shop()
    try shop.items.insert(Item(id: 1, order: 1, amount: 5))
    try shop.totals.insert(Counter(id: 1, value: 4))
    test.bytes = try SnapshotFile.encode(shop, as: .json)
    let store = try test.open(Shop.self, .manual)
    #expect(store.read { $0.totals[1]?.value } == 4)
    try store.runRules()
    #expect(Self.total(store) == 5 && store.revision == 1)
    // Nothing is left to do. A rule that writes an equal record makes no revision.
    let before = store.snapshot().value
    try store.runRules()
    #expect(store.read { $0.isStoredLike(before) } && Self.total(store) == 5 && store.revision == 1)
    try store.closeAndWait()
    #expect(try test.stored(Shop.self).totals[1]?.value == 5)
  }

  // A value that the rules refuse is no result of a migration; the file stays as it was.
  @Test func aRuleMayRefuseAMigration() throws {
    let test = StoreUnderTest()
    let text = #"{"snapshot":{"schema":"shop","version":1},"items":[{"id":1,"order":1,"amount":1300}],"totals":[]}"#
    test.bytes = Array(text.utf8)
    let error = #expect(throws: SnapshotError.self) { try test.open(Shop.self, .manual) }
    #expect(error?.code == .migrationFailed && error?.message.contains("BadLuck") == true)
    #expect(test.bytes == Array(text.utf8))
  }
}
