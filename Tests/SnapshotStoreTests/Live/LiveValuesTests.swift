import Testing

@testable import SnapshotStore
@testable import TestSupport

/// The results of a function of the value: only real differences, and only the latest for a slow consumer.
@Suite(.timeLimit(.minutes(30)))
struct LiveValuesTests {
  @Test func onlyDifferencesAreDelivered() async throws {
    let store = Store(House())
    let values = store.observe { $0.chores.count { $0.isDone } }
    let task = Task { await values.reduce(into: [Int]()) { $0.append($1) } }
    let watch = store.companions.companion("value") { LiveWatch<Void, Void> { 0 } }
    await watch.untilWaiting()
    for id in 1...5 {
      try store.set(Chore(id: id))
      await watch.untilWaiting()
      try store.set(Chore(id: id, isDone: true))
      await watch.untilWaiting()
    }
    try await store.close()
    #expect(await task.value == [0, 1, 2, 3, 4, 5])
  }

  @Test func whoIsSlowGetsTheLatest() async throws {
    let store = Store(House())
    var iterator = store.observe { $0.chores.count }.makeAsyncIterator()
    #expect(await iterator.next() == 0)
    for id in 1...5 { try store.set(Chore(id: id)) }
    #expect(await iterator.next() == 5)
    try store.set(Chore(id: 9))
    try await store.close()
    #expect(await iterator.next() == 6)
    #expect(await iterator.next() == nil)
    // It stays ended.
    #expect(await iterator.next() == nil)
  }

  @Test func cancellingEndsTheWait() async throws {
    let store = Store(House())
    let values = store.observe { $0.chores.count }
    let task = Task { await values.reduce(0) { $0 + $1 + 1 } }
    await store.companions.companion("value") { LiveWatch<Void, Void> { 0 } }.untilWaiting()
    task.cancel()
    #expect(await task.value == 1)
  }

  // A result that does not equal itself is not delivered again.
  @Test func noNumberIsDeliveredOnce() async throws {
    let store = Store(House())
    let means = store.observe { house in
      house.chores.isEmpty ? Double.nan : Double(house.chores.reduce(0) { $0 + $1.rank }) / Double(house.chores.count)
    }
    let task = Task { await means.reduce(into: [Double]()) { $0.append($1) } }
    let watch = store.companions.companion("value") { LiveWatch<Void, Void> { 0 } }
    await watch.untilWaiting()
    for id in 1...3 {
      try store.write { try $0.guests.insert(Chore(id: id)) }
      await watch.untilWaiting()
    }
    try store.set(Chore(id: 1, rank: 4))
    await watch.untilWaiting()
    try store.write { $0.chores.removeAll() }
    try await store.close()
    #expect(await task.value.map(\.description) == ["nan", "4.0", "nan"])
  }
}
