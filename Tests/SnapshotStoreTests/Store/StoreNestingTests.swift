import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// All calls are allowed inside a transaction, except another one on the same store.
@Suite(.timeLimit(.minutes(30)))
struct StoreNestingTests {
  @Test func aWriteInsideOfAWriteTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = Store(Counters())
      try store.write { _ in try store.write { try $0.set(1, to: 1) } }
    }
    // The message says what to do instead.
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("called inside of Store.write on the same store"))
  }

  // A close waits for the transaction that runs, which would be this one.
  @Test func aCloseInsideOfAWriteTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = Store(Counters())
      try store.write { _ in try store.closeAndWait() }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("close was called inside of Store.write on the same store"))
  }

  // The outer transaction is the one that is in the way, whatever is between.
  @Test func aWriteInsideOfAReadInsideOfAWriteTraps() async {
    await #expect(processExitsWith: .failure) {
      let store = Store(Counters())
      try store.write { _ in try store.read { _ in try store.write { try $0.set(1, to: 1) } } }
    }
  }

  @Test func aWriteAfterATransactionThatThrewIsAllowed() throws {
    let store = Store(Counters())
    #expect(throws: CancellationError.self) { try store.write { _ in throw CancellationError() } }
    try store.write { try $0.set(1, to: 1) }
    #expect(store.revision == 1)
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func aWriteOnAnotherStoreIsAllowed() throws {
    let (a, b) = (Store(Counters()), Store(Counters()))
    try a.write { counters in
      try counters.set(
        1,
        to: try b.write {
          try $0.set(1, to: 2); return b.revision
        })
    }
    #expect(a.read { $0.left[1]?.value } == 0)
    #expect(b.read { $0.left[1]?.value } == 2)
    #expect(a.snapshot().value.allViolations() == [])
    #expect(b.snapshot().value.allViolations() == [])
  }

  // They give the state before the transaction.
  @Test func readingInsideOfAWriteIsAllowed() throws {
    let store = Store(Counters())
    try store.write { try $0.set(1, to: 1) }
    try store.write { counters in
      try counters.set(1, to: 2)
      #expect(store.read { $0.left[1]?.value } == 1)
      #expect(store.snapshot().revision == 1)
      #expect(store.snapshot().value.left[1]?.value == 1)
      #expect(store.revision == 1)
      #expect(store.durableRevision == 1)
      #expect(!store.status.isDirty)
    }
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test(arguments: [SavePolicy.automatic(), .immediate, .manual])
  func flushingInsideOfAWriteIsAllowed(_ policy: SavePolicy) throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self, policy)
    try store.write { try $0.set(1, to: 1) }
    try store.write { counters in
      try counters.set(1, to: 2)
      try store.flushAndWait()
      // What was published before is durable, the draft is not.
      #expect(store.durableRevision == 1)
      #expect(try test.stored().left[1]?.value == 1)
    }
    try store.closeAndWait()
    #expect(try test.stored().left[1]?.value == 2)
    #expect(store.snapshot().value.allViolations() == [])
  }

  // With a real queue between, too: the save must not need the writer's lock.
  @Test func flushingInsideOfAWriteDoesNotHang() throws {
    let fileSystem = InMemoryFileSystem(directories: ["/dir"])
    let store = try Store<Counters>.open(
      at: URL(fileURLWithPath: "/dir/store.json"), options: StoreOptions(policy: .manual), fileSystem: fileSystem,
      scheduler: DispatchScheduler())
    try store.write { try $0.set(1, to: 1) }
    try store.write { _ in try store.flushAndWait() }
    #expect(store.durableRevision == 1)
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func aNewStreamInsideOfAWriteBeginsWithThatTransaction() async throws {
    let store = Store(Counters())
    let stream = try store.write { counters in
      try counters.set(1, to: 1)
      return store.changes
    }
    try await store.close()
    var revisions: [Int] = []
    for await change in stream { revisions.append(change.revision) }
    #expect(revisions == [1])
    #expect(store.snapshot().value.allViolations() == [])
  }
}
