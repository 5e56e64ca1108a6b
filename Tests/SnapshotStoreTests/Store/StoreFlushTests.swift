import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Every waiter for a flush is told the result: once, and correctly.
@Suite(.timeLimit(.minutes(30)))
struct StoreFlushTests {
  @Test func bothFlushesMakeEverythingDurable() async throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self, .manual)
    try store.write { try $0.set(1, to: 1) }
    try await store.flush()
    #expect(store.durableRevision == 1)
    #expect(try test.stored().left[1]?.value == 1)
    try store.write { try $0.set(1, to: 2) }
    try store.flushAndWait()
    #expect(store.durableRevision == 2)
    #expect(try test.stored().left[1]?.value == 2)
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func manyTasksWaitForOneSave() async throws {
    let test = StoreUnderTest(savesAtOnce: false)
    let store = try test.open(Counters.self, .manual)
    try store.write { try $0.set(1, to: 1) }
    let executor = HeldExecutor()
    let tasks = (0..<100).map { _ in Task(executorPreference: executor) { try await store.flush() } }
    executor.run()
    #expect(store.status.isSaving)
    test.runSaves()
    executor.run()
    for task in tasks { try await task.value }
    #expect(store.status.saves == 1)
    #expect(store.durableRevision == 1)
    #expect(store.snapshot().value.allViolations() == [])
  }

  // A flush covers the changes published before it. Later ones belong to another flush.
  @Test func aFlushDoesNotWaitForLaterChanges() async throws {
    let test = StoreUnderTest(savesAtOnce: false)
    let store = try test.open(Counters.self, .manual)
    try store.write { try $0.set(1, to: 1) }
    let executor = HeldExecutor()
    let first = Task(executorPreference: executor) {
      try await store.flush()
      return store.durableRevision
    }
    executor.run()
    test.scheduler.runPending()
    try store.write { try $0.set(1, to: 2) }
    executor.run()
    #expect(try await first.value == 1)
    #expect(store.status.isDirty)
    let second = Task(executorPreference: executor) { try await store.flush() }
    executor.run()
    test.runSaves()
    executor.run()
    try await second.value
    #expect(!store.status.isDirty)
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func allWaitersAreToldOfAFailure() async throws {
    let test = StoreUnderTest(savesAtOnce: false)
    let store = try test.open(Counters.self)
    try store.write { try $0.set(1, to: 1) }
    test.setDiskFull(true)
    let executor = HeldExecutor()
    let tasks = (0..<20).map { _ in Task(executorPreference: executor) { try await store.flush() } }
    executor.run()
    test.runSaves()
    executor.run()
    for task in tasks {
      let error = await #expect(throws: SnapshotError.self) { try await task.value }
      #expect(error?.systemError == ENOSPC)
    }
    test.setDiskFull(false)
    test.scheduler.advance(by: .seconds(1))
    test.runSaves()
    #expect(!store.status.isDirty)
    #expect(store.snapshot().value.allViolations() == [])
  }

  // A save cannot be reverted. So a cancelled task waits for it like the others, and learns the result.
  @Test func cancelledTasksAreResumedToo() async throws {
    let test = StoreUnderTest(savesAtOnce: false)
    let store = try test.open(Counters.self, .manual)
    try store.write { try $0.set(1, to: 1) }
    let executor = HeldExecutor()
    let tasks = (0..<20).map { index in
      let task = Task(executorPreference: executor) { try await store.flush() }
      if index % 3 == 0 { task.cancel() }
      return task
    }
    executor.run()
    for task in tasks.suffix(10) { task.cancel() }
    test.runSaves()
    executor.run()
    for task in tasks { try await task.value }
    #expect(store.durableRevision == 1)
    #expect(store.snapshot().value.allViolations() == [])
  }

  // Tasks, threads, changes and failures at once, on the real queue: every wait ends, and none with a false promise.
  @Test func everyWaitEnds() async {
    await each(SeededGenerator.seeds(5)) { (seed: UInt64) async throws in
      let fileSystem = InMemoryFileSystem(directories: ["/dir"])
      let store = try Store<Counters>.open(
        at: URL(fileURLWithPath: "/dir/store.json"),
        options: StoreOptions(policy: .automatic(delay: .milliseconds(1), maxDelay: .milliseconds(5))),
        fileSystem: fileSystem, scheduler: DispatchScheduler())
      let generator = Mutex(SeededGenerator(seed: seed))
      fileSystem.injectFault { _ in
        generator.withLock { Int.random(in: 0..<40, using: &$0) == 0 } ? EIO : nil
      }
      await withTaskGroup(of: Void.self) { group in
        for index in 0..<20 {
          group.addTask {
            for value in 1...20 {
              guard
                let revision = try? store.write({
                  try $0.set(index, to: value); return store.revision + 1
                })
              else {
                continue
              }
              if (try? await store.flush()) != nil { #expect(store.durableRevision >= revision) }
            }
          }
        }
      }
      fileSystem.injectFault(nil)
      try await store.close()
      #expect(store.durableRevision == 400)
      let bytes = try #require(fileSystem["/dir/store.json"])
      #expect(try SnapshotFile.decode(Counters.self, from: bytes) == store.snapshot().value)
      #expect(fileSystem.openCount == 0)
      #expect(store.snapshot().value.allViolations() == [])
    }
  }
}
