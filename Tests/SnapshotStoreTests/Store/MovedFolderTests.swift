import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// The folder of an open store is moved away, and a copy takes its place.
@Suite(.timeLimit(.minutes(30)))
struct MovedFolderTests {
  /// A folder with a store in it that can be moved away.
  static func withStore(
    _ policy: ExternalChange.Policy, fileSystem: any FileSystem = POSIXFileSystem(),
    _ body: (FolderUnderTest, URL, Store<Counters>) async throws -> Void
  ) async throws {
    try await FolderUnderTest.with(.real) { folder in
      try FileManager.default.createDirectory(at: folder.url("a"), withIntermediateDirectories: false)
      let url = folder.url("a").appending(path: "store.json")
      var options = StoreOptions(policy: .manual)
      options.log = { _ in }
      options.externalChanges = policy
      let store = try Store<Counters>.open(
        at: url, options: options, fileSystem: fileSystem, scheduler: DispatchScheduler())
      try store.write { try $0.set(1, to: 1_000_000_001) }
      try await store.flush()
      try await body(folder, url, store)
    }
  }

  static func replaceFolder(_ folder: FolderUnderTest) throws {
    try FileManager.default.moveItem(at: folder.url("a"), to: folder.url("b"))
    try FileManager.default.createDirectory(at: folder.url("a"), withIntermediateDirectories: false)
    try FileManager.default.copyItem(
      at: folder.url("b").appending(path: "store.json"), to: folder.url("a").appending(path: "store.json"))
  }

  @Test(arguments: [ExternalChange.Policy.fail, .merge]) func lockAndFileFollowThePath(
    _ policy: ExternalChange.Policy
  ) async throws {
    try await Self.withStore(policy) { folder, url, store in
      try Self.replaceFolder(folder)
      try store.write { try $0.set(1, to: 1_000_000_002) }
      try await store.flush()
      #expect(try SnapshotFile.read(Counters.self, at: url).left[1]?.value == 1_000_000_002)
      let moved = folder.url("b").appending(path: "store.json")
      #expect(try SnapshotFile.read(Counters.self, at: moved).left[1]?.value == 1_000_000_001)
      // No other store can open the file for writing, and the moved one is free.
      let error = #expect(throws: SnapshotError.self) { try Store<Counters>.open(at: url) }
      #expect(error?.code == .locked)
      try await Store<Counters>.open(at: moved).close()
      #expect(store.snapshot().value.allViolations() == [])
      try await store.close()
    }
  }

  // The watch too.
  @Test func changesInTheNewFolderAreNoticed() async throws {
    try await FolderUnderTest.with(.real) { folder in
      try FileManager.default.createDirectory(at: folder.url("a"), withIntermediateDirectories: false)
      let url = folder.url("a").appending(path: "store.json")
      let (news, continuation) = AsyncStream.makeStream(of: ExternalChange.self)
      var options = StoreOptions(policy: .manual)
      options.log = { _ in }
      options.externalChanges = .reload
      options.onExternalChange = { continuation.yield($0) }
      let store = try Store<Counters>.open(at: url, options: options)
      try store.write { try $0.set(1, to: 1_000_000_001) }
      try await store.flush()
      try Self.replaceFolder(folder)
      // A check that runs without a request; requested here, so that it is over.
      _ = await store.checkFile()
      var theirs: Counters = try SnapshotFile.read(at: url)
      try theirs.set(2, to: 1_000_000_002)
      try Data(SnapshotFile.encode(theirs, as: .json)).write(to: url, options: .atomic)
      for await change in news {
        if case .reloaded = change { break }
      }
      #expect(store.read { $0.left[2]?.value } == 1_000_000_002)
      try await store.close()
    }
  }

  @Test func withoutAFolderASaveFails() async throws {
    try await Self.withStore(.fail) { folder, url, store in
      try FileManager.default.moveItem(at: folder.url("a"), to: folder.url("b"))
      try store.write { try $0.set(1, to: 1_000_000_002) }
      let error = await #expect(throws: SnapshotError.self) { try await store.flush() }
      #expect(error?.systemError == ENOENT)
      #expect(error?.advice?.contains("folder") == true)
      try FileManager.default.moveItem(at: folder.url("b"), to: folder.url("a"))
      try await store.close()
      #expect(try SnapshotFile.read(Counters.self, at: url).left[1]?.value == 1_000_000_002)
    }
  }

  // Another store has the file in the new folder open.
  @Test func aFolderThatIsTakenIsAnError() async throws {
    try await Self.withStore(.fail) { folder, url, store in
      try Self.replaceFolder(folder)
      let other = try Store<Counters>.open(at: url)
      try store.write { try $0.set(1, to: 1_000_000_002) }
      let error = await #expect(throws: SnapshotError.self) { try await store.flush() }
      #expect(error?.code == .locked)
      try await other.close()
      try await store.close()
      #expect(try SnapshotFile.read(Counters.self, at: url).left[1]?.value == 1_000_000_002)
    }
  }

  /// A planned move of the folder, immediately before a file is replaced.
  private final class PlannedMove: Sendable {
    private let folder = Mutex<FolderUnderTest?>(nil)

    func plan(of folder: FolderUnderTest) { self.folder.withLock { $0 = folder } }

    var fileSystem: ObservedFileSystem {
      ObservedFileSystem(POSIXFileSystem()) { _, step in
        if step == "renameat" {
          let folder = self.folder.withLock { $0.take() }
          if let folder { try? MovedFolderTests.replaceFolder(folder) }
        }
        return nil
      }
    }
  }

  // In the middle of a save: a file written into the old folder does not count as saved.
  @Test func aMoveDuringASaveIsNoSuccess() async throws {
    let move = PlannedMove()
    try await Self.withStore(.fail, fileSystem: move.fileSystem) { folder, url, store in
      try store.write { try $0.set(1, to: 1_000_000_002) }
      move.plan(of: folder)
      let error = await #expect(throws: SnapshotError.self) { try await store.flush() }
      #expect(error?.message.contains("moved away") == true)
      #expect(store.status.isDirty)
      try await store.close()
      #expect(try SnapshotFile.read(Counters.self, at: url).left[1]?.value == 1_000_000_002)
    }
  }

  // A replacement without a store is no success either, although its caller has the lock of the old folder.
  @Test func aMoveDuringAReplacementIsNoSuccess() async throws {
    try await Self.withStore(.fail) { folder, url, store in
      try await store.close()
      let move = PlannedMove()
      let replacement = KeepingReplacement<Counters>(path: url.path, fileSystem: move.fileSystem)
      let bytes = try SnapshotFile.encode(Counters(), as: .json)
      move.plan(of: folder)
      let error = #expect(throws: SnapshotError.self) { try replacement.run { _ in { _ in bytes } } }
      #expect(error?.code == .changedExternally)
      #expect(error?.message.contains("moved away") == true)
      #expect(try SnapshotFile.read(Counters.self, at: url).left[1]?.value == 1_000_000_001)
    }
  }
}
