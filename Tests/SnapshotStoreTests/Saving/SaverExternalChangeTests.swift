import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// A file that someone else has changed is not overwritten; one that is as it was, is.
struct SaverExternalChangeTests {
  /// The bytes that another program would write.
  static func externalBytes(_ value: Int) throws -> [UInt8] {
    var counters = Counters()
    try counters.set(1, to: value)
    return try SnapshotFile.encode(counters, as: .json)
  }

  /// Only decisions are logged. A merge in which nobody loses anything is none.
  @Test func aMergeWithoutConflictsIsNotLogged() throws {
    let (test, log) = (StoreUnderTest(), Messages())
    var options = StoreOptions(policy: .manual)
    options.externalChanges = .merge
    options.log = { log.add($0) }
    let store = try test.open(Counters.self, options)
    try store.write { try $0.set(2, to: 2) }
    try store.flushAndWait()
    var theirs = try test.stored()
    try theirs.set(3, to: 3)
    test.bytes = try SnapshotFile.encode(theirs, as: .json)
    try store.write { try $0.set(4, to: 4) }
    try store.flushAndWait()
    #expect(try test.stored().left.map(\.id) == [2, 3, 4])
    #expect(log.all == [])
    #expect(store.snapshot().value.allViolations() == [])
    // Without a conflict a version may be kept too: its base may be unknown.
    let kept = ExternalChange.merged(MergeOutcome(), kept: "/dir/store.conflict.json")
    #expect(kept.logLine?.contains("The versions that were not taken are in “/dir/store.conflict.json”.") == true)
  }

  @Test func aFileThatWasReplacedIsNotOverwritten() throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self)
    try store.write { try $0.set(1, to: 1) }
    try store.flushAndWait()
    let external = try Self.externalBytes(99)
    test.bytes = external
    try store.write { try $0.set(1, to: 2) }
    let error = #expect(throws: SnapshotError.self) { try store.flushAndWait() }
    #expect(error?.code == .changedExternally)
    #expect(error?.path == test.path)
    #expect(error?.advice != nil)
    test.scheduler.advance(by: .seconds(1_000))
    #expect(test.bytes == external)
    #expect(store.status.isDirty)
    #expect(store.status.lastError?.code == .changedExternally)
    // The change is still in memory, and is saved once the file is out of the way.
    test.bytes = nil
    test.scheduler.advance(by: .seconds(30))
    #expect(try test.stored().left[1]?.value == 2)
    #expect(store.status.lastError == nil)
    #expect(store.snapshot().value.allViolations() == [])
  }

  // Not even if it is empty, damaged, of the same size, or an older content of this very store.
  @Test func noForeignContentIsOverwritten() {
    each(["empty", "damaged", "same size", "older"]) { (kind: String) throws in
      let test = StoreUnderTest()
      let store = try test.open(Counters.self)
      try store.write { try $0.set(1, to: 1) }
      try store.flushAndWait()
      var external = try #require(test.bytes)
      try store.write { try $0.set(1, to: 2) }
      try store.flushAndWait()
      switch kind {
      case "empty": external = []
      case "damaged": external.removeLast(10)
      case "same size":
        external = try #require(test.bytes)
        external[external.count / 2] ^= 1
      default: break
      }
      test.bytes = external
      // Both a new content and the one that the store last wrote.
      for value in [3, 2] {
        try store.write { try $0.set(1, to: value) }
        let error = #expect(throws: SnapshotError.self) { try store.flushAndWait() }
        #expect(error?.code == .changedExternally)
        #expect(test.bytes == external)
      }
      #expect(store.snapshot().value.allViolations() == [])
    }
  }

  // Replaced by equal bytes: a restored backup, or a tool that rewrites the same content.
  @Test func aFileThatWasOnlyTouchedIsReplaced() throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self)
    try store.write { try $0.set(1, to: 1) }
    try store.flushAndWait()
    let bytes = test.bytes
    test.bytes = bytes
    try store.write { try $0.set(1, to: 2) }
    try store.flushAndWait()
    #expect(try test.stored().left[1]?.value == 2)
    #expect(store.snapshot().value.allViolations() == [])
  }

  // A file that people edit by hand has no checksum that identifies it. Touching it is no change either.
  @Test func aFileWithoutChecksumThatWasOnlyTouchedIsReplaced() throws {
    let test = StoreUnderTest()
    let bytes = Array(#"{"snapshot":{"schema":"counters","version":1},"left":[{"id":1,"value":1}],"right":[]}"#.utf8)
    test.bytes = bytes
    let store = try test.open(Counters.self)
    #expect(store.read { $0.left[1]?.value } == 1)
    test.bytes = bytes
    try store.write { try $0.set(1, to: 2) }
    try store.flushAndWait()
    #expect(try test.stored().left[1]?.value == 2)
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func aFileWithoutChecksumIsReplaced() throws {
    let test = StoreUnderTest()
    test.bytes = Array(#"{"snapshot":{"schema":"counters","version":1},"left":[{"id":1,"value":1}],"right":[]}"#.utf8)
    let store = try test.open(Counters.self)
    try store.write { try $0.set(1, to: 2) }
    try store.flushAndWait()
    #expect(try test.stored().left[1]?.value == 2)
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func aRemovedFileIsMadeAnew() throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self)
    test.bytes = nil
    try store.write { try $0.set(1, to: 1) }
    try store.flushAndWait()
    #expect(try test.stored() == store.snapshot().value)
    #expect(test.fileSystem.mode(of: test.path) == 0o600)
    #expect(store.snapshot().value.allViolations() == [])
  }

  // Another program makes the file after the check for it: before the save is permitted, or while it runs. The first
  // look in the folder is that of the lock.
  @Test(arguments: [2, 3])
  func aFileThatAppearsWhileTheStoreIsCreatedIsKept(_ look: Int) throws {
    let test = StoreUnderTest()
    let external = try Self.externalBytes(5)
    let fileSystem = test.fileSystem
    fileSystem.injectFault { call in
      let looks = fileSystem.calls.count { $0.name == "fstatat" && $0.target == "store.json" }
      if call.name == "fstatat", call.target == "store.json", looks == look {
        fileSystem["/dir/store.json"] = external
      }
      return nil
    }
    let error = #expect(throws: SnapshotError.self) { try test.open(Counters.self) }
    #expect(error?.code == .changedExternally)
    #expect(test.bytes == external)
    #expect(test.paths == [test.path])
  }

  // The same for an open store; its change is saved once that is possible.
  @Test func aChangeDuringASaveIsKept() throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self)
    let external = try Self.externalBytes(5)
    let fileSystem = test.fileSystem
    fileSystem.injectFault { call in
      if call.name == "write" { fileSystem["/dir/store.json"] = external }
      return nil
    }
    try store.write { try $0.set(1, to: 1) }
    let error = #expect(throws: SnapshotError.self) { try store.flushAndWait() }
    #expect(error?.code == .changedExternally)
    fileSystem.injectFault(nil)
    test.scheduler.advance(by: .seconds(60))
    #expect(test.bytes == external)
    test.bytes = nil
    try store.flushAndWait()
    #expect(try test.stored() == store.snapshot().value)
    #expect(store.snapshot().value.allViolations() == [])
  }
}
