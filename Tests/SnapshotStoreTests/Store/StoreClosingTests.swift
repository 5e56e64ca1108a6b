import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Closing: everything is durable afterwards, later changes are refused, and a failure leaves the store open.
@Suite(.timeLimit(.minutes(30)))
struct StoreClosingTests {
  @Test func everythingIsDurableAfterwards() async {
    await each([
      SavePolicy.automatic(), .automatic(delay: .seconds(3_600), maxDelay: .seconds(3_600)), .immediate, .manual,
    ]) { (policy: SavePolicy) async throws in
      for isBlocking in [true, false] {
        let test = StoreUnderTest()
        let store = try test.open(Counters.self, policy)
        for value in 1...10 { try store.write { try $0.set(value, to: value) } }
        if isBlocking { try store.closeAndWait() } else { try await store.close() }
        #expect(!store.status.isDirty)
        #expect(try test.stored() == store.snapshot().value)
        #expect(test.openCount == 0)
        #expect(store.snapshot().value.allViolations() == [])
      }
    }
  }

  @Test func laterChangesAreRefusedAndReadingGoesOn() async throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self)
    try store.write { try $0.set(1, to: 1) }
    try await store.close()
    var wasRun = false
    let error = #expect(throws: SnapshotError.self) { try store.write { _ in wasRun = true } }
    #expect(error?.code == .closed)
    #expect(error?.path == test.path)
    #expect(!wasRun)
    #expect(store.read { $0.left[1]?.value } == 1)
    #expect(store.snapshot().revision == 1)
    try await store.flush()
    try store.flushAndWait()
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func closingAClosedStoreDoesNothing() async throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self)
    try store.write { try $0.set(1, to: 1) }
    try await store.close()
    let calls = test.fileSystem.calls.count
    try await store.close()
    try store.closeAndWait()
    test.scheduler.advance(by: .seconds(1_000))
    #expect(test.fileSystem.calls.count == calls)
    #expect(store.snapshot().value.allViolations() == [])
  }

  // A failed close does not give up: the data is still there, and so is the request to save it.
  @Test func aFailedCloseLeavesTheStoreOpen() async throws {
    for isBlocking in [true, false] {
      let test = StoreUnderTest()
      let store = try test.open(Counters.self)
      let changes = store.changes
      try store.write { try $0.set(1, to: 1) }
      test.setDiskFull(true)
      let error = await #expect(throws: SnapshotError.self) {
        if isBlocking { try store.closeAndWait() } else { try await store.close() }
      }
      #expect(error?.systemError == ENOSPC)
      try store.write { try $0.set(2, to: 2) }
      #expect(store.status.isDirty)
      test.setDiskFull(false)
      // The failed attempt is retried like any other.
      test.scheduler.advance(by: .seconds(1))
      #expect(try test.stored() == store.snapshot().value)
      try store.write { try $0.set(3, to: 3) }
      try await store.close()
      #expect(try test.stored() == store.snapshot().value)
      #expect(throws: SnapshotError.self) { try store.write { try $0.set(4, to: 4) } }
      // The stream continued, too.
      var revisions: [Int] = []
      for await change in changes { revisions.append(change.revision) }
      #expect(revisions == [1, 2, 3])
      #expect(store.snapshot().value.allViolations() == [])
    }
  }

  // The save of a close runs elsewhere; until it has ended, the store is neither open nor closed.
  @Test func changesAreRefusedWhileTheStoreCloses() async throws {
    let test = StoreUnderTest(savesAtOnce: false)
    let store = try test.open(Counters.self)
    try store.write { try $0.set(1, to: 1) }
    let executor = HeldExecutor()
    let closing = Task(executorPreference: executor) { try await store.close() }
    executor.run()
    let error = #expect(throws: SnapshotError.self) { try store.write { try $0.set(1, to: 2) } }
    #expect(error?.code == .closed)
    test.runSaves()
    executor.run()
    try await closing.value
    #expect(try test.stored().left[1]?.value == 1)
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func manyMayCloseAtOnce() throws {
    let fileSystem = InMemoryFileSystem(directories: ["/dir"])
    let store = try Store<Counters>.open(
      at: URL(fileURLWithPath: "/dir/store.json"), options: StoreOptions(policy: .manual), fileSystem: fileSystem,
      scheduler: DispatchScheduler())
    onThreads(8) { index in
      for value in 1...50 { _ = try? store.write { try $0.set(index, to: value) } }
      do {
        try store.closeAndWait()
        // After closing, everything is in the file, and cannot be changed.
        #expect(!store.status.isDirty)
        #expect(throws: SnapshotError.self) { try store.write { try $0.set(index, to: 0) } }
      } catch {
        Issue.record("close failed: \(error)")
      }
    }
    let bytes = try #require(fileSystem["/dir/store.json"])
    #expect(try SnapshotFile.decode(Counters.self, from: bytes) == store.snapshot().value)
    #expect(store.snapshot().value.allViolations() == [])
  }

  // Two callers close at once; the save of the first fails, that of the second succeeds. A caller that is told that the
  // store is closed must be able to rely on it, in whatever order the two return.
  @Test(arguments: [true, false])
  func aCloseThatSucceededIsNotUndone(_ firstComesBackFirst: Bool) async throws {
    let test = StoreUnderTest(savesAtOnce: false)
    let store = try test.open(Counters.self)
    try store.write { try $0.set(1, to: 1) }
    let (first, second) = (HeldExecutor(), HeldExecutor())
    // Both saves have ended before either close returns.
    test.setDiskFull(true)
    let failing = Task(executorPreference: first) { try await store.close() }
    first.run()
    test.runSaves()
    test.setDiskFull(false)
    let succeeding = Task(executorPreference: second) { try await store.close() }
    second.run()
    test.runSaves()
    #expect(!store.status.isDirty)
    for executor in firstComesBackFirst ? [first, second] : [second, first] { executor.run() }
    // The second one may have to begin again.
    test.runSaves()
    second.run()
    await #expect(throws: SnapshotError.self) { try await failing.value }
    try await succeeding.value
    let error = #expect(throws: SnapshotError.self) { try store.write { try $0.set(1, to: 2) } }
    #expect(error?.code == .closed)
    #expect(store.snapshot().value.allViolations() == [])
  }
}
