import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Stores as a program opens them: on the real file system, with the real clock. Nothing here waits for a timer.
@Suite(.timeLimit(.minutes(30)))
struct StoreRealFileTests {
  @Test func whatIsFlushedIsReadBack() async {
    await each(["store.json", "store.plist", "store.bplist", "store.ndjson"]) { (name: String) async throws in
      try await FolderUnderTest.with(.real) { folder in
        let store = try Store<Counters>.open(at: folder.url(name))
        #expect(try folder.mode(of: name) == 0o600)
        try store.write { try $0.set(1, to: 1) }
        try await store.flush()
        #expect(try SnapshotFile.read(Counters.self, at: folder.url(name)) == store.snapshot().value)
        try store.write { try $0.set(2, to: 2) }
        try store.flushAndWait()
        #expect(try SnapshotFile.read(Counters.self, at: folder.url(name)) == store.snapshot().value)
        try store.write { try $0.set(3, to: 3) }
        try await store.close()

        let again = try Store<Counters>.open(at: folder.url(name))
        #expect(again.read { $0.left.map(\.value) } == [1, 2, 3])
        #expect(again.snapshot().value.allViolations() == [])
        try again.closeAndWait()
        #expect(folder.names == [name])
        #expect(store.snapshot().value.allViolations() == [])
      }
    }
  }

  @Test func everyPolicyWorksWithTheRealClock() {
    each([
      SavePolicy.automatic(), .automatic(delay: .milliseconds(1), maxDelay: .milliseconds(2)), .immediate, .manual,
    ]) { (policy: SavePolicy) throws in
      try FolderUnderTest.with(.real) { folder in
        let store = try Store<Counters>.open(at: folder.url("store.json"), options: StoreOptions(policy: policy))
        for value in 1...200 {
          try store.write { try $0.set(value % 10, to: value) }
          if value % 50 == 0 { try store.flushAndWait() }
        }
        try store.closeAndWait()
        #expect(try SnapshotFile.read(Counters.self, at: folder.url("store.json")) == store.snapshot().value)
        #expect(store.status.lastError == nil)
        #expect(folder.names == ["store.json"])
        #expect(store.snapshot().value.allViolations() == [])
      }
    }
  }

  // Delays beyond the range of a timer mean “not before I ask for it”.
  @Test(arguments: [Duration.seconds(3_600), .seconds(1_000_000_000_000), .seconds(Int64.max)])
  func aDelayMayBeVeryLong(_ delay: Duration) async throws {
    await #expect(processExitsWith: .success) { [seconds = delay.components.seconds as Int64] in
      // In memory, so that a process that dies of it leaves nothing on the disk.
      let fileSystem = InMemoryFileSystem(directories: ["/dir"])
      let policy = SavePolicy.automatic(delay: .seconds(seconds), maxDelay: .seconds(seconds))
      let store = try Store<Counters>.open(
        at: URL(fileURLWithPath: "/dir/store.json"), options: StoreOptions(policy: policy), fileSystem: fileSystem,
        scheduler: DispatchScheduler())
      try store.write { try $0.set(1, to: 1) }
      #expect(store.status.isDirty)
      try store.closeAndWait()
      #expect(store.snapshot().value.allViolations() == [])
    }
  }

  @Test func theModeAndTheLinkAreKept() throws {
    try FolderUnderTest.with(.real) { folder in
      folder["target"] = try SnapshotFile.encode(Counters(), as: .xml)
      try folder.setMode(0o640, of: "target")
      try folder.link("store.json", to: "target")
      let store = try Store<Counters>.open(at: folder.url("store.json"))
      try store.write { try $0.set(1, to: 1) }
      try store.closeAndWait()
      #expect(folder.target(ofLink: "store.json") == "target")
      #expect(try folder.mode(of: "target") == 0o640)
      #expect(try SnapshotFile.read(Counters.self, at: folder.url("target")) == store.snapshot().value)
      #expect(folder.names == ["store.json", "target"])
      #expect(store.snapshot().value.allViolations() == [])
    }
  }

  // An editor that saves in place keeps the file's inode, one that saves atomically does not; both are noticed.
  @Test(arguments: [true, false])
  func aFileThatWasEditedIsNotOverwritten(_ isAtomic: Bool) throws {
    try FolderUnderTest.with(.real) { folder in
      let url = folder.url("store.json")
      let store = try Store<Counters>.open(at: url)
      try store.write { try $0.set(1, to: 1) }
      try store.flushAndWait()
      let edited = Data("{ \"my\": \"own work\" }".utf8)
      try edited.write(to: url, options: isAtomic ? .atomic : [])
      try store.write { try $0.set(1, to: 2) }
      let error = #expect(throws: SnapshotError.self) { try store.closeAndWait() }
      #expect(error?.code == .changedExternally)
      #expect(folder["store.json"] == [UInt8](edited))
      #expect(store.snapshot().value.allViolations() == [])
    }
  }

  @Test func whatIsNoFileIsRefused() throws {
    try FolderUnderTest.with(.real) { folder in
      #expect(mkfifo("\(folder.path)/pipe", 0o600) == 0)
      for name in ["pipe", "."] {
        let error = #expect(throws: SnapshotError.self) { try Store<Counters>.open(at: folder.url(name)) }
        #expect(error?.code == .notRegularFile)
      }
      let missing = #expect(throws: SnapshotError.self) { try Store<Counters>.open(at: folder.url("no/store.json")) }
      #expect(missing?.code == .fileNotFound)
      #expect(folder.names == ["pipe"])
    }
  }
}
