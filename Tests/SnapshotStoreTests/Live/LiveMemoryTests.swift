import Testing

@testable import SnapshotStore
@testable import TestSupport

/// A waiting iteration keeps no record that others have replaced.
@Suite(.timeLimit(.minutes(30)))
struct LiveMemoryTests {
  /// A matching chore, and one that no list in this test shows.
  private static func house() throws -> Store<House> { Store(try House([Chore(id: 1), Chore(id: 2, isDone: true)])) }

  /// Replaces a record that matches no query, and tells whether the old one is still retained.
  private static func isHeld(_ store: Store<House>, rank: Int) throws -> Bool {
    weak let old = store.read { $0.chores.tree[2] }
    #expect(old != nil)
    try store.set(Chore(id: 2, rank: rank, isDone: true))
    return old != nil
  }

  @Test func aQueryThatWaits() async throws {
    let store = try Self.house()
    let updates = LiveUpdatesTests.open(store)
    let task = Task {
      var iterator = updates.makeAsyncIterator()
      _ = await iterator.next()
      return await iterator.next()
    }
    await updates.source.watch.untilWaiting()
    for rank in 1...3 { #expect(try !Self.isHeld(store, rank: rank)) }
    #expect(updates.source.watch.waiterCount == 1)
    try store.set(Chore(id: 3))
    #expect(await task.value?.batch?.inserts == [1])
  }

  @Test @MainActor func anObservableList() async throws {
    let store = try Self.house()
    let list = ObservableList(store.observe(\.chores, where: { !$0.isDone }, sortedBy: \.rank))
    await LiveSource(store, \.chores).watch.untilWaiting()
    for rank in 1...3 { #expect(try !Self.isHeld(store, rank: rank)) }
    #expect(list.records.count == 1)
  }
}
