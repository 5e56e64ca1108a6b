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

  /// A record that cannot always be encoded.
  struct Frail: Record {
    let id: Int
    var isBroken = false

    struct Broken: Error, CustomStringConvertible { let description = "it is broken" }
    enum CodingKeys: CodingKey { case id, isBroken }

    func encode(to encoder: any Encoder) throws {
      if isBroken { throw Broken() }
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(id, forKey: .id)
      try container.encode(isBroken, forKey: .isBroken)
    }
  }

  struct FrailModel: Model {
    var frail = Table<Frail>()
    static let schema = Schema("frail", version: 1, Field("frail", \FrailModel.frail))
  }

  // The record is named by its id, in the error and in the log. With it removed, everything is saved.
  @Test func aRecordThatCannotBeEncodedIsNamed() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      for journal in [JournalPolicy.none, .beside()] {
        let test = StoreUnderTest()
        let log = SmallLock<[String]>([])
        var options = StoreOptions(policy: .automatic(), format: format, journal: journal)
        options.log = { line in log.withLock { $0.append(line) } }
        let store = try test.open(FrailModel.self, options)
        try store.write { model in for id in 10...12 { try model.frail.insert(Frail(id: id)) } }
        try store.flushAndWait()
        try store.write { try $0.frail.update(11) { $0.isBroken = true } }
        let error = #expect(throws: SnapshotError.self) { try store.flushAndWait() }
        let words = "frail[1]: the record with the id “11” cannot be encoded: it is broken"
        #expect(error?.code == .unencodable && error?.description.contains(words) == true, "\(error as Any)")
        #expect(store.status.lastError?.description.contains(words) == true)
        #expect(log.withLock { $0 }.contains { $0.contains(words) && $0.contains("Change or remove it.") })
        try store.write { $0.frail.remove(11) }
        try store.closeAndWait()
        #expect(try test.stored(FrailModel.self).frail.map(\.id) == [10, 12])
      }
    }
  }
}
