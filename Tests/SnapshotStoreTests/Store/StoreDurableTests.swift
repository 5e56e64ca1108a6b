import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Waiting until a revision is durable, without asking for a save.
@Suite(.timeLimit(.minutes(30)))
struct StoreDurableTests {
  @Test func itComesWhenThePolicySays() async throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self)
    try await store.durable(through: 0)
    try store.write { try $0.set(1, to: 1) }
    let waiting = Task { try await store.durable(through: 1) }
    let later = Task { try await store.durable(through: 2) }
    await Task.yield()
    #expect(store.durableRevision == 0)
    test.scheduler.advance(by: .seconds(5))
    try await waiting.value
    #expect(store.durableRevision == 1)
    // A failed save is repeated, and then the revision is durable.
    test.setDiskFull(true)
    try store.write { try $0.set(1, to: 2) }
    test.scheduler.advance(by: .seconds(60))
    #expect(store.durableRevision == 1)
    test.setDiskFull(false)
    test.scheduler.advance(by: .seconds(60))
    try await later.value
    #expect(try test.stored().left[1]?.value == 2)
    try await store.close()
  }

  @Test func itEndsWithTheStoreAndWithTheTask() async throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self, .manual)
    let cancelled = Task { try await store.durable(through: 1) }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    let waiting = Task { try await store.durable(through: 1) }
    await Task.yield()
    try await store.close()
    let error = await #expect(throws: SnapshotError.self) { try await waiting.value }
    #expect(error?.code == .closed)
    await #expect(throws: SnapshotError.self) { try await store.durable(through: 1) }
    try await store.durable(through: 0)
    // In memory there is nothing to wait for.
    try await Store<Counters>().durable(through: 100)
  }

  // From many tasks, in any order, each exactly once.
  @Test func manyWait() async throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self, .immediate)
    await withTaskGroup { group in
      for revision in 1...200 { group.addTask { try? await store.durable(through: revision) } }
      for value in 1...200 { _ = try? store.write { try $0.set(1, to: value) } }
    }
    #expect(store.durableRevision == 200)
    try await store.close()
  }

  // As all commits do, under the writer lock.
  @Test func aCommitDoesNotLookAtEachWait() async throws {
    func time(waits: Int) async throws -> Duration {
      let store = try StoreUnderTest().open(Counters.self, .manual)
      let saver = try #require(store.saver)
      let tasks = (1...waits).map { revision in Task { try? await store.durable(through: revision) } }
      while saver.waitCount < waits { await Task.yield() }
      let times = (0..<5).map { _ in
        ContinuousClock().measure { for _ in 0..<20 { saver.handle(.changed(revision: 1)) } }
      }
      try await store.close()
      for task in tasks { await task.value }
      #expect(saver.waitCount == 0)
      return times.min() ?? .zero
    }
    let (few, many) = (try await time(waits: 1), try await time(waits: 20_000))
    #expect(many < few * 20)
  }

  @Test func cancelledWaitsAreRemoved() async throws {
    let store = try StoreUnderTest().open(Counters.self, .manual)
    let saver = try #require(store.saver)
    let tasks = (1...1_000).map { revision in Task { try? await store.durable(through: revision) } }
    while saver.waitCount < tasks.count { await Task.yield() }
    for task in tasks.shuffled().dropLast() { task.cancel() }
    while saver.waitCount > 1 { await Task.yield() }
    try await store.close()
    for task in tasks { await task.value }
    #expect(saver.waitCount == 0)
  }
}

extension Saver {
  /// The number of waits for a revision.
  fileprivate var waitCount: Int { state.withLock { $0.waiters.count } }
}
