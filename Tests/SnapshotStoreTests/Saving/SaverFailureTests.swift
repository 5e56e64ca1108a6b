import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Failed saves: the error is visible, the data stays in memory, and the store recovers by itself.
struct SaverFailureTests {
  @Test func aFullDiskIsWaitedFor() throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self)
    try store.write { try $0.set(1, to: 1) }
    test.scheduler.advance(by: .milliseconds(500))
    let before = test.bytes
    test.setDiskFull(true)
    try store.write { try $0.set(1, to: 2) }
    test.scheduler.advance(by: .seconds(100))
    #expect(test.bytes == before)
    #expect(store.status.lastError?.code == .ioFailed)
    #expect(store.status.lastError?.systemError == ENOSPC)
    #expect(store.status.lastError?.path == test.path)
    #expect(store.status.isDirty)
    #expect(store.durableRevision == 1)
    // At 0, 0.5, 1.5, 3.5, 7.5, 15.5, 31.5, 61.5 and 91.5 seconds from the first failure, half a second after the
    // write.
    #expect(store.status.failedSaves == 9)
    #expect(test.paths == [test.path])

    test.setDiskFull(false)
    try store.write { try $0.set(2, to: 3) }
    test.scheduler.advance(by: .seconds(30))
    #expect(try test.stored() == store.snapshot().value)
    #expect(store.status.lastError == nil)
    #expect(!store.status.isDirty)
    #expect(store.durableRevision == 3)
    #expect(store.status.saves == 2)
    #expect(test.openCount == 0)
    #expect(store.snapshot().value.allViolations() == [])
  }

  // Reading and writing never wait for the disk, and never fail for it.
  @Test(arguments: [SavePolicy.automatic(), .immediate, .manual])
  func transactionsGoOnWhileTheDiskFails(_ policy: SavePolicy) throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self, policy)
    test.setDiskFull(true)
    for value in 1...10 {
      try store.write { try $0.set(1, to: value) }
      #expect(store.read { $0.left[1]?.value } == value)
    }
    #expect(throws: SnapshotError.self) { try store.flushAndWait() }
    test.setDiskFull(false)
    try store.flushAndWait()
    #expect(try test.stored().left[1]?.value == 10)
    #expect(store.status.lastError == nil)
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func flushThrowsWhyTheSaveFailed() throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self)
    try store.write { try $0.set(1, to: 1) }
    test.setDiskFull(true)
    let error = #expect(throws: SnapshotError.self) { try store.flushAndWait() }
    #expect(error?.code == .ioFailed)
    #expect(error?.systemError == ENOSPC)
    #expect(error?.path == test.path)
    #expect(error?.message.contains("nothing was replaced") == true)
    #expect(store.snapshot().value.allViolations() == [])
  }

  // Every call of a save fails once: the file is complete at every moment, and the next attempt succeeds.
  @Test func everyCallOfASaveMayFail() throws {
    for number in 1...50 {
      let test = StoreUnderTest()
      let store = try test.open(Counters.self)
      try store.write { try $0.set(1, to: 1) }
      let calls = test.fileSystem.calls.count
      let count = FaultCounter(failing: number)
      test.fileSystem.injectFault { _ in count.next() }
      let result = Result { try store.flushAndWait() }
      #expect([nil, 1].contains(try test.stored().left[1]?.value))
      if (try? result.get()) == nil {
        #expect(store.status.isDirty)
        #expect(store.status.lastError != nil)
        test.scheduler.advance(by: .milliseconds(500))
      }
      #expect(!store.status.isDirty)
      #expect(store.status.lastError == nil)
      #expect(try test.stored() == store.snapshot().value)
      #expect(test.paths == [test.path])
      #expect(test.openCount == 0)
      #expect(store.snapshot().value.allViolations() == [])
      // All calls were made, and none of them was the failing one.
      if test.fileSystem.calls.count - calls < number { return }
    }
    Issue.record("there is no end of calls")
  }

  // The new bytes are there, but a power cut may bring the old ones back. They are not durable, and must not be
  // skipped.
  @Test func anIndeterminateSaveIsMadeAgain() throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self)
    try store.write { try $0.set(1, to: 1) }
    test.failDirectorySync()
    let error = #expect(throws: SnapshotError.self) { try store.flushAndWait() }
    #expect(error?.code == .indeterminate)
    #expect(error?.path == test.path)
    #expect(try test.stored().left[1]?.value == 1)
    #expect(store.status.isDirty)
    #expect(store.durableRevision == 0)

    test.fileSystem.injectFault(nil)
    let replacements = test.replacements
    try store.flushAndWait()
    #expect(test.replacements == replacements + 1)
    #expect(store.status.skippedSaves == 0)
    #expect(!store.status.isDirty)
    // From here on equal bytes may be skipped again.
    for value in [2, 1] { try store.write { try $0.set(1, to: value) } }
    try store.flushAndWait()
    #expect(store.status.skippedSaves == 1)
    #expect(store.snapshot().value.allViolations() == [])
  }

  // The same when the change is reverted: the file on the medium may be the old one or the new one.
  @Test func theContentBeforeAnIndeterminateSaveIsWrittenAgainToo() throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self)
    let before = test.bytes
    try store.write { try $0.set(1, to: 1) }
    test.failDirectorySync()
    #expect(throws: SnapshotError.self) { try store.flushAndWait() }
    test.fileSystem.injectFault(nil)
    try store.write { _ = $0.left.remove(1) }
    try store.flushAndWait()
    #expect(test.bytes == before)
    #expect(store.status.saves == 1)
    #expect(store.snapshot().value.allViolations() == [])
  }

  // The user's answer to an indeterminate save is to try again, perhaps with a new process. That process finds the
  // change in the file and has nothing to write. Yet the change is not durable before the directory has been synced.
  @Test(arguments: [false, true])
  func aFlushAfterOpeningSyncsWhatAnEarlierStoreCouldNot(_ putsAnEqualRecord: Bool) throws {
    let test = StoreUnderTest()
    do {
      let first = try test.open(Counters.self, .manual)
      try first.write { try $0.set(1, to: 1) }
      test.failDirectorySync()
      #expect(throws: SnapshotError.self) { try first.flushAndWait() }
      test.fileSystem.injectFault(nil)
    }

    let calls = test.fileSystem.calls.count
    let second = try test.open(Counters.self, .manual)
    #expect(second.read { $0.left[1]?.value } == 1)
    if putsAnEqualRecord { try second.write { try $0.set(1, to: 1) } }
    try second.flushAndWait()
    let lastSteps = test.fileSystem.calls[calls...].map(\.name).filter { $0 == "fsync" || $0 == "renameat" }
    #expect(lastSteps.last == "fsync", "flush returned, and a power cut can still undo the change")
    #expect(second.snapshot().value.allViolations() == [])
  }
}
