import Testing

@testable import SnapshotStore
@testable import SnapshotUI

private struct Thing: Record {
  let id: Int
}

private struct Things: Model {
  var things = Table<Thing>()

  static let schema = Schema<Things>("things", version: 1, Field("things", \.things))
}

/// What the property wrappers of SwiftUI do, without SwiftUI.
@MainActor
@Suite(.timeLimit(.minutes(30))) struct ViewQueryTests {
  private typealias Updates = LiveList<Thing, NoSections>.Updates
  private typealias Query = ViewQuery<Updates, ObservableList<Thing, NoSections>>

  private func object(_ query: Query, _ updates: Updates, id: AnyHashable = 0) -> ObservableList<Thing, NoSections> {
    query.object(for: ViewKey(store: updates.storeIdentity, id: id), of: updates) { ObservableList($0) }
  }

  @Test func anUpdateOfTheViewKeepsTheList() async throws {
    let (store, query) = (Store(Things()), Query())
    let first = object(query, store.observe(\.things, sortedBy: \.id))
    try store.write { try $0.things.insert(Thing(id: 1)) }
    while first.records.isEmpty { await Task.yield() }
    #expect(object(query, store.observe(\.things, sortedBy: \.id)) === first)
  }

  @Test func anotherStoreOrAnotherConditionMakesAnotherList() throws {
    let (store, other, query) = (Store(Things()), Store(Things()), Query())
    try store.write { things in for id in 0..<4 { try things.things.insert(Thing(id: id)) } }
    let all = object(query, store.observe(\.things, sortedBy: \.id))
    let few = object(query, store.observe(\.things, where: { $0.id < 2 }, sortedBy: \.id), id: "few")
    #expect(all !== few)
    #expect(all.records.count == 4 && few.records.count == 2)
    #expect(object(query, other.observe(\.things, sortedBy: \.id), id: "few").records.isEmpty)
  }

  /// The identity of a store is its address. Another store must not get it while the query exists.
  @Test func theSourceKeepsItsIdentity() {
    let query = Query()
    var seen: Set<ObjectIdentifier> = []
    let first = Store(Things()).observe(\.things, sortedBy: \.id)
    _ = object(query, first)
    seen.insert(first.storeIdentity)
    for _ in 0..<100 {
      let next = Store(Things())
      #expect(seen.isDisjoint(with: [next.observe(\.things, sortedBy: \.id).storeIdentity]))
    }
  }

  @Test func valuesHaveTheIdentityOfTheirStore() {
    let store = Store(Things())
    #expect(store.observe { $0.things.count }.storeIdentity == store.observe(\.things, sortedBy: \.id).storeIdentity)
    #expect(
      store.observe { $0.things.count }.storeIdentity != Store(Things()).observe { $0.things.count }.storeIdentity)
  }
}
