import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// The streams of change sets: order, several subscribers, origin, and their ends.
@Suite(.timeLimit(.minutes(30)))
struct StoreChangesTests {
  static func collect(_ stream: AsyncStream<ChangeSet<Counters>>) async -> [ChangeSet<Counters>] {
    var sets: [ChangeSet<Counters>] = []
    for await set in stream { sets.append(set) }
    return sets
  }

  @Test func everySubscriberGetsEveryChangeInOrder() async throws {
    let store = Store(Counters())
    let streams = (0..<3).map { _ in store.changes }
    for value in 1...100 { try store.write { try $0.set(value % 3, to: value) } }
    try await store.close()
    for stream in streams {
      let sets = await Self.collect(stream)
      #expect(sets.map(\.revision) == Array(1...100))
      // Each begins where the one before ended, so nothing is between them.
      for (set, next) in zip(sets, sets.dropFirst()) { #expect(set.after.hasSameTables(as: next.before)) }
    }
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func aChangeSetHoldsWhatChanged() async throws {
    let store = Store(Counters())
    try store.write { counters in
      try counters.set(1, to: 1)
      try counters.set(2, to: 2)
    }
    let stream = store.changes
    try store.write { counters in
      try counters.set(1, to: 10)
      counters.left.remove(2)
      try counters.set(3, to: 3)
    }
    try await store.close()
    let sets = await Self.collect(stream)
    #expect(sets.count == 1)
    #expect(
      sets.first?.changes(in: \.left) == [
        .updated(before: Counter(id: 1, value: 1), after: Counter(id: 1, value: 10)),
        .removed(Counter(id: 2, value: 2)), .inserted(Counter(id: 3, value: 3)),
      ])
    #expect(sets.first?.changes(in: \.right) == [])
    #expect(sets.first?.isEmpty == false)
    #expect(store.snapshot().value.allViolations() == [])
  }

  // The origin lets an observer ignore its own changes.
  @Test func theOriginIsThatOfTheWrite() async throws {
    let store = Store(Counters())
    let stream = store.changes
    try store.write { try $0.set(1, to: 1) }
    try store.write(origin: "sync") { try $0.set(1, to: 2) }
    try store.write(origin: .local) { try $0.set(1, to: 3) }
    try await store.close()
    #expect(await Self.collect(stream).map(\.origin) == [.local, "sync", .local])
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func aStreamBeginsWhenItIsMade() async throws {
    let store = Store(Counters())
    let early = store.changes
    try store.write { try $0.set(1, to: 1) }
    let late = store.changes
    try store.write { try $0.set(1, to: 2) }
    try await store.close()
    #expect(await Self.collect(early).map(\.revision) == [1, 2])
    #expect(await Self.collect(late).map(\.revision) == [2])
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func whatMakesNoRevisionIsNotTold() async throws {
    let store = Store(Counters())
    let stream = store.changes
    try store.write { _ in }
    #expect(throws: CancellationError.self) {
      try store.write { counters in
        try counters.set(1, to: 1)
        throw CancellationError()
      }
    }
    try store.write { try $0.set(1, to: 2) }
    try await store.close()
    #expect(await Self.collect(stream).map(\.revision) == [1])
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func aStreamOfAClosedStoreEndsAtOnce() async throws {
    let store = Store(Counters())
    try await store.close()
    #expect(await Self.collect(store.changes).isEmpty)
    #expect(store.snapshot().value.allViolations() == [])
  }

  // No writer is left, so there is nothing to wait for.
  @Test func aStreamEndsWhenTheStoreIsDropped() async throws {
    var store: Store<Counters>? = Store(Counters())
    let stream = try #require(store?.changes)
    try store?.write { try $0.set(1, to: 1) }
    #expect(store?.snapshot().value.allViolations() == [])
    store = nil
    #expect(await Self.collect(stream).map(\.revision) == [1])
  }

  // A subscriber that ends takes nothing from the others, and a slow one delays nobody.
  @Test func subscribersAreIndependent() async throws {
    let store = Store(Counters())
    let slow = store.changes
    do {
      var brief = store.changes.makeAsyncIterator()
      try store.write { try $0.set(1, to: 1) }
      #expect(await brief.next()?.revision == 1)
    }
    for value in 2...10 { try store.write { try $0.set(1, to: value) } }
    let cancelled = Task { [stream = store.changes] in await Self.collect(stream) }
    cancelled.cancel()
    #expect(await cancelled.value.isEmpty)
    try await store.close()
    #expect(await Self.collect(slow).map(\.revision) == Array(1...10))
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func theOrderIsThatOfTheTransactionsFromManyThreads() async throws {
    let store = Store(Counters())
    let stream = store.changes
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        onThreads(4) { index in
          for value in 1...250 { _ = try? store.write { try $0.set(index, to: value) } }
        }
        continuation.resume()
      }
    }
    try await store.close()
    let sets = await Self.collect(stream)
    #expect(sets.map(\.revision) == Array(1...1_000))
    #expect(zip(sets, sets.dropFirst()).allSatisfy { $0.after.hasSameTables(as: $1.before) })
    #expect(store.snapshot().value.allViolations() == [])
  }
}
