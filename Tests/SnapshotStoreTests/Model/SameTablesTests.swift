import Testing

@testable import SnapshotStore
@testable import TestSupport

/// A table that is not stored in the model itself has no offset in it, and is found by its key path.
private struct Wrapped: Model {
  struct Inner: Sendable { var counters = Table<Counter>() }

  var plain = Table<Counter>()
  private var inner = Inner()
  var computed: Table<Counter> {
    get { inner.counters }
    set { inner.counters = newValue }
  }

  static let schema = Schema<Wrapped>(
    "wrapped", version: 1,
    Field("plain", \.plain),
    Field("computed", \.computed))
}

/// The offsets of tables, or their key paths, tell whether a transaction made a revision. Both agree.
@Suite struct SameTablesTests {
  private func areSame<Root: Model>(_ a: Root, _ b: Root) -> Bool {
    let byPlace = withUnsafePointer(to: a) { a in withUnsafePointer(to: b) { Root.schema.hasSameTables(a, $0) } }
    #expect(byPlace == a.hasSameTables(as: b))
    return byPlace
  }

  @Test func storedTables() throws {
    let empty = Counters()
    var left = empty
    try left.set(1, to: 1)
    var right = empty
    try right.right.upsert(Counter(id: 1, value: 1))
    #expect(areSame(empty, empty))
    #expect(!areSame(empty, left))
    #expect(!areSame(empty, right))
    #expect(!areSame(left, right))
    let copy = left
    #expect(areSame(left, copy))
    // Equal records made in another way are other tables.
    left.left.remove(1)
    #expect(!areSame(left, copy))
  }

  @Test func computedTables() throws {
    let empty = Wrapped()
    var changed = empty
    try changed.computed.upsert(Counter(id: 1, value: 1))
    #expect(areSame(empty, empty))
    #expect(!areSame(empty, changed))
    #expect(areSame(changed, changed))
  }

  @Test func aTransactionOnAComputedTableMakesARevision() throws {
    let store = Store(Wrapped())
    try store.write { _ = try $0.computed.upsert(Counter(id: 1, value: 1)) }
    #expect(store.revision == 1)
    try store.write { _ in }
    #expect(store.revision == 1)
  }
}
