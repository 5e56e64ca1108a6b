import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// When a live query delivers, when it does not, and how it ends.
@Suite(.timeLimit(.minutes(30)))
struct LiveUpdatesTests {
  typealias Updates = LiveList<Chore, NoSections>.Updates

  static func open(_ store: Store<House>) -> Updates {
    store.observe(\.chores, where: { !$0.isDone }, sortedBy: \.rank)
  }

  @Test func theFirstListIsThatOfTheStart() async throws {
    let store = Store(try House([Chore(id: 1)]))
    let updates = Self.open(store)
    try store.set(Chore(id: 2))
    var iterator = updates.makeAsyncIterator()
    let first = try #require(await iterator.next())
    #expect(first.list.map(\.id) == [1, 2])
    #expect(first.batch == nil)
  }

  @Test func oneBatchForEachCommit() async throws {
    let store = Store(House())
    var iterator = Self.open(store).makeAsyncIterator()
    _ = await iterator.next()
    for id in 1...20 {
      try store.set(Chore(id: id), Chore(id: -id))
      #expect(await iterator.next()?.batch?.inserts.count == 2)
    }
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func whoIsSlowGetsOneBatchForMany() async throws {
    let store = Store(House())
    var iterator = Self.open(store).makeAsyncIterator()
    _ = await iterator.next()
    for id in 1...50 { try store.set(Chore(id: id)) }
    try store.write { $0.chores.remove(50) }
    let batch = try #require(await iterator.next()?.batch)
    #expect(batch.inserts.count == 49)
    try store.set(Chore(id: 60))
    #expect(await iterator.next()?.batch?.inserts == [49])
  }

  /// Waits for the next update in another task.
  private func waiting(_ store: Store<House>, _ updates: Updates) async throws -> Task<
    LiveList<Chore, NoSections>.Updates.Update?, Never
  > {
    var iterator = updates.makeAsyncIterator()
    _ = await iterator.next()
    let boxed = Mutex(iterator)
    let count = updates.source.watch.waiterCount
    let task = Task {
      var iterator = boxed.withLock { $0 }
      return await iterator.next()
    }
    await updates.source.watch.untilWaiting(count + 1)
    return task
  }

  @Test func oneWhoWaitsIsWokenByWhatConcernsIt() async throws {
    let store = Store(try House((0..<100).map { Chore(id: $0, isDone: $0 % 2 == 0) }))
    let updates = Self.open(store)
    let task = try await waiting(store, updates)
    // Another table, a record that never matches, a record that is put back, and a store without a difference.
    try store.write { try $0.guests.upsert(Chore(id: 1)) }
    try store.set(Chore(id: 2, rank: 5, isDone: true))
    try store.write { $0.chores.remove(2) }
    try store.write { _ in }
    #expect(updates.source.watch.waiterCount == 1)
    try store.set(Chore(id: 1, text: "new"))
    #expect(updates.source.watch.waiterCount == 0)
    let batch = try #require(await task.value?.batch)
    #expect(batch.updates == [.init(old: 0, new: 0)])
    #expect((batch.deletes, batch.inserts, batch.moves) == ([], [], []))
  }

  // It is woken without a check of each record, finds nothing, and waits again.
  @Test func aLargeCommitThatDoesNotConcern() async throws {
    let store = Store(House())
    let updates = Self.open(store)
    let task = try await waiting(store, updates)
    try store.write { house in for id in 0..<500 { try house.chores.upsert(Chore(id: id, isDone: true)) } }
    await updates.source.watch.untilWaiting()
    try store.set(Chore(id: 7))
    #expect(await task.value?.batch?.inserts == [0])
  }

  // Equal records are stored as given, but the difference is not visible.
  @Test func anEqualRecordIsNoUpdate() async throws {
    let store = Store(try House([Chore(id: 1, text: "e\u{301}")]))
    let updates = Self.open(store)
    let task = try await waiting(store, updates)
    try store.set(Chore(id: 1, text: "\u{e9}"))
    await updates.source.watch.untilWaiting()
    try store.set(Chore(id: 2))
    let update = try #require(await task.value)
    #expect(update.batch?.inserts == [1])
    #expect(update.batch?.updates == [])
    #expect(update.list[0].text.unicodeScalars.count == 1)
  }

  @Test func manyQueriesAreEachToldOfTheirOwn() async throws {
    let store = Store(House())
    var tasks: [Task<LiveList<Chore, NoSections>.Updates.Update?, Never>] = []
    for number in 0..<30 {
      let updates = store.observe(\.chores, where: { $0.rank == number }, sortedBy: \.text)
      tasks.append(try await waiting(store, updates))
    }
    let watch = LiveSource(store, \.chores).watch
    #expect(watch.waiterCount == 30)
    for number in (0..<30).reversed() {
      try store.set(Chore(id: number, rank: number))
      #expect(watch.waiterCount == number)
    }
    for (number, task) in tasks.enumerated() { #expect(await task.value?.list.map(\.id) == [number]) }
  }

  @Test func cancellingEndsTheWait() async throws {
    let store = Store(House())
    let updates = Self.open(store)
    let task = try await waiting(store, updates)
    task.cancel()
    #expect(await task.value == nil)
    #expect(updates.source.watch.waiterCount == 0)
    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      var iterator = updates.makeAsyncIterator()
      return await iterator.next() == nil
    }
    #expect(await cancelled.value)
  }

  @Test func closingEndsTheSequence() async throws {
    let store = Store(House())
    let updates = Self.open(store)
    let task = try await waiting(store, updates)
    var late = updates.makeAsyncIterator()
    _ = await late.next()
    try store.write { try $0.chores.upsert(Chore(id: 1, isDone: true)) }
    try await store.close()
    #expect(await task.value == nil)
    #expect(await late.next() == nil)
    // Earlier changes are still delivered.
    var afterwards = updates.makeAsyncIterator()
    #expect(await afterwards.next() != nil)
    #expect(await afterwards.next() == nil)
  }

  @Test func theLastChangeIsDeliveredBeforeTheEnd() async throws {
    let store = Store(House())
    var iterator = Self.open(store).makeAsyncIterator()
    _ = await iterator.next()
    try store.set(Chore(id: 1))
    try await store.close()
    #expect(await iterator.next()?.batch?.inserts == [0])
    #expect(await iterator.next() == nil)
    // It stays ended.
    #expect(await iterator.next() == nil)
  }

  // A query does not keep a store alive that has no other owner.
  @Test func lettingTheStoreGoEndsTheSequence() async throws {
    var store: Store<House>? = Store(House())
    let updates = Self.open(try #require(store))
    let task = try await waiting(try #require(store), updates)
    store = nil
    #expect(await task.value == nil)
  }

  @Test func nobodyIsToldWhenTheQueriesAreGone() throws {
    let store = Store(House())
    var updates: Updates? = Self.open(store)
    let watch = { [weak watch = updates?.source.watch] in watch }
    #expect(watch() != nil)
    updates = nil
    #expect(watch() == nil)
    try store.set(Chore(id: 1))
  }

  @Test func writersAndFollowersTogether() async throws {
    let store = Store(House())
    let followers = (0..<4).map { _ in
      let updates = Self.open(store)
      return Task {
        var records: [Chore] = []
        for await update in updates {
          if let batch = update.batch { batch.apply(to: &records) } else { records = Array(update.list) }
          if records.contains(where: { $0.id == -1 }) { break }
        }
        return records
      }
    }
    await withTaskGroup(of: Void.self) { group in
      for seed in SeededGenerator.seeds(3) {
        group.addTask {
          var random = SeededGenerator(seed: seed)
          for _ in 0..<300 { try? store.write { try $0.changeAtRandom(&random, ids: 30) } }
        }
      }
    }
    try store.set(Chore(id: -1))
    let expected = Array(Self.open(store).current())
    for follower in followers { #expect(await follower.value == expected) }
    #expect(store.snapshot().value.allViolations() == [])
  }

  // The list is the same, but the number of matches beyond it changes.
  @Test func aMatchBeyondTheLimitIsCounted() async throws {
    let store = Store(try House((1...2).map { Chore(id: $0) }))
    var iterator = store.observe(\.chores, where: { !$0.isDone }, sortedBy: \.rank, limit: 2).makeAsyncIterator()
    #expect(await iterator.next()?.list.matchCount == 2)
    try store.set(Chore(id: 3, rank: 9))
    let more = try #require(await iterator.next())
    #expect(more.list.matchCount == 3)
    #expect(more.batch?.isEmpty == true)
    try store.set(Chore(id: 3, rank: 9, isDone: true))
    #expect(await iterator.next()?.list.matchCount == 2)
    // A record that only changes makes no visible difference.
    try store.set(Chore(id: 4, rank: 9))
    _ = await iterator.next()
    try store.set(Chore(id: 4, rank: 8))
    try store.set(Chore(id: 1, text: "new"))
    #expect(await iterator.next()?.batch?.updates == [.init(old: 0, new: 0)])
  }
}
