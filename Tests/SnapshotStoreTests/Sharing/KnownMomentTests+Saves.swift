import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Saves and looks of which a call fails, beside another store that goes on.
extension KnownMomentTests {
  /// From the next rename of the file on, nothing can be written.
  private func onAFullDiskBehindTheRename(_ work: () throws -> Void) throws {
    let isFull = SmallLock(false)
    test.fileSystem.injectFault { call in
      isFull.withLock { isFull in
        isFull = isFull || call.name == "renameat" && call.target == "store.json"
        return isFull && ["create", "write", "pwrite"].contains(call.name) ? ENOSPC : nil
      }
    }
    try work()
    #expect(isFull.withLock { $0 })
    test.fileSystem.injectFault(nil)
  }

  private func value(_ store: Store<Counters>) -> Int? { store.read { $0.left[1]?.value } }

  private func expectNoConflict() {
    #expect(reports.withLock { $0 } == [])
    #expect(test.paths.filter { $0.contains("conflict") || $0.contains("before-merge") } == [])
  }

  /// No journal can be made on the new files, so the old one names both of them.
  @Test func twoFoldsOnAFullDiskAreFollowed() throws {
    try open(.exclusive, .none).closeAndWait()
    let (a, b) = (try open(), try open())
    try a.write { try $0.set(1, to: 1) }
    try onAFullDiskBehindTheRename { try a.flushAndWait(folding: true) }
    look(b)
    try b.write { try $0.set(1, to: 2) }
    try onAFullDiskBehindTheRename { try b.flushAndWait(folding: true) }
    look(a)
    #expect(value(a) == 2 && value(b) == 2)
    expectNoConflict()
    try set(3, a)
    look(b)
    #expect(ids(b) == [1, 3])
  }

  /// Its save has failed after the sync, and it could not be retracted. Another store goes on from it.
  @Test func theOwnLineThatCouldNotBeTakenBackIsKnown() throws {
    let (a, b) = (try open(), try open())
    try set(9, folding: true, a)
    try set(8, a)
    look(b)
    try a.write { try $0.set(1, to: 1) }
    let hasFailed = SmallLock(false)
    test.fileSystem.injectFault { call in
      hasFailed.withLock { hasFailed in
        if call.name == "fdatasync" { hasFailed = true }
        return hasFailed && ["fstat", "pwrite"].contains(call.name) ? EIO : nil
      }
    }
    #expect(throws: SnapshotError.self) { try a.flushAndWait() }
    test.fileSystem.injectFault(nil)
    #expect(hasFailed.withLock { $0 })
    // Before the first store tries again.
    b.checkFileAndWait()
    #expect(value(b) == 1)
    try set(1, to: 2, b)
    a.checkFileAndWait()
    #expect(value(a) == 2)
    expectNoConflict()
  }

  /// A journal that could not be begun has never had a line. So no line is missing, and the next save appends.
  @Test func aJournalThatCouldNotBeBegunIsNotMissed() throws {
    let exclusive = try open(.exclusive, .none)
    try set(9, exclusive)
    try exclusive.closeAndWait()
    let (a, b) = (try open(), try open())
    try a.write { try $0.set(1, to: 1) }
    fail("write temporary") { try a.flushAndWait() }
    try set(2, b)
    look(a)
    #expect(ids(a) == [1, 2, 9])
    let bytes = test.bytes
    try set(3, a)
    #expect(test.bytes == bytes)
    look(b)
    #expect(ids(b) == [1, 2, 3, 9])
    expectNoConflict()
  }

  /// A journal of which nothing could be read may have lines of others.
  @Test func aJournalThatCouldNotBeReadIsReadAgain() throws {
    let (a, b) = (try open(), try open())
    try set(1, folding: true, a)
    try set(2, a)
    look(b)
    try set(3, a)
    failing.withLock { $0 = "pread journal" }
    try set(4, b)
    #expect(failing.withLock { $0 } == "", "nothing has failed")
    #expect(ids(b) == [1, 2, 3, 4])
    look(a)
    #expect(ids(a) == [1, 2, 3, 4])
  }

  /// The file is there when the look begins, and gone when it reads it.
  @Test func aFileThatIsRemovedDuringALookIsRemoved() throws {
    let a = try open()
    try set(1, folding: true, a)
    test.bytes = try SaverExternalChangeTests.externalBytes(7)
    test.fileSystem.injectEvent { [test] call in
      if call.name == "openat", call.target == "store.json" { test.bytes = nil }
      return nil
    }
    look(a)
    test.fileSystem.injectEvent(nil)
    #expect(reports.withLock { $0 } == ["removed"])
    #expect(value(a) == 1)
    try set(2, a)
    #expect(try test.stored().left.map(\.id) == [1, 2])
  }

  /// The line that failed may come back after a power cut. So the store saves once more what it has taken in.
  @Test func whatOthersHaveIsSavedAgainBehindAFailedLine() throws {
    let (a, b) = (try open(), try open())
    try set(1, folding: true, a)
    try set(2, a)
    look(b)
    try a.write { try $0.set(7, to: 7) }
    fail("fdatasync") { try a.flushAndWait() }
    try a.write { _ = $0.left.remove(7) }
    try set(3, b)
    look(a)
    #expect(ids(a) == [1, 2, 3])
    #expect(a.status.isDirty)
    try a.flushAndWait()
    #expect(!a.status.isDirty)
    look(b)
    #expect(b.read { $0 } == a.read { $0 })
  }

  /// Another program has replaced the file, and has removed the journal. It spells things in another way. The fold
  /// takes its change in, and then writes the file.
  @Test func aFoldWritesTheFileOfAnotherProgramAnew() throws {
    let a = try open()
    // It tells that the other program has read this version.
    try a.write { try $0.set(2, to: 9_000_002) }
    try set(1, to: 9_000_001, folding: true, a)
    let text = String(decoding: try #require(test.bytes), as: UTF8.self).split(separator: "\n").dropFirst().joined()
    try set(3, a)
    try a.write { _ = $0.left.remove(3) }
    try a.flushAndWait()
    let header = #"{ "snapshot" : { "schema" : "counters", "version" : 1 }, "#
    test.bytes = Array((header + text.drop { $0 != "}" }.dropFirst(2)).replacing("9000001", with: "5").utf8)
    test.fileSystem[journal] = nil
    try a.flushAndWait(folding: true)
    #expect(value(a) == 5 && ids(a) == [1, 2])
    #expect(test.bytes == (try SnapshotFile.encode(a.read { $0 }, as: .json)))
  }
}
