import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// When changes of the file are noticed, and when the store checks for them.
@Suite(.timeLimit(.minutes(30)))
struct StoreWatchingTests {
  static func options(_ policy: ExternalChange.Policy) -> StoreOptions {
    var options = StoreOptions(policy: .manual)
    options.externalChanges = policy
    return options
  }

  static func bytes(_ value: Int) throws -> [UInt8] {
    var counters = Counters()
    try counters.set(1, to: value)
    return try SnapshotFile.encode(counters, as: .json)
  }

  // The file was read, and nothing is watched yet.
  @Test(arguments: ["read", "fsync"]) func aChangeWhileTheStoreOpensIsMet(_ name: String) throws {
    let test = StoreUnderTest()
    test.bytes = try Self.bytes(1_000_000_001)
    let changed = try Self.bytes(1_000_000_002)
    let (fileSystem, path) = (test.fileSystem, test.path)
    let hasChanged = Mutex(false)
    fileSystem.injectEvent { call in
      let isFirst =
        call.name == name
        && hasChanged.withLock { hasChanged in
          defer { hasChanged = true }
          return !hasChanged
        }
      if isFirst { fileSystem[path] = changed }
      return nil
    }
    let store = try test.open(Counters.self, Self.options(.reload))
    #expect(hasChanged.withLock { $0 })
    #expect(store.read { $0.left[1]?.value } == 1_000_000_002)
    #expect(store.snapshot().value.allViolations() == [])
    try store.closeAndWait()
  }

  // A file system without notifications is checked repeatedly, until the store is closed.
  @Test func whatIsNotNoticedIsLookedFor() throws {
    let test = StoreUnderTest()
    test.bytes = try Self.bytes(1_000_000_001)
    let store = try test.open(Counters.self, Self.options(.reload))
    for value in 1_000_000_002...1_000_000_004 {
      test.bytes = try Self.bytes(value)
      test.scheduler.advance(by: .seconds(2))
      #expect(store.read { $0.left[1]?.value } == value)
    }
    #expect(store.openReport?.watchProblem == nil)
    #expect(store.snapshot().value.allViolations() == [])
    try store.closeAndWait()
    let calls = test.fileSystem.calls.count
    test.scheduler.advance(by: .seconds(10))
    #expect(test.fileSystem.calls.count == calls)
  }

  // No inotify instance is left: the report and the log say so. Checks replace the watch until there is one again.
  @Test func aWatchThatCannotBeHadIsSaidAndReplaced() throws {
    let fileSystem = WatchableFileSystem()
    let scheduler = ManualScheduler()
    let messages = Mutex<[String]>([])
    var options = Self.options(.reload)
    options.log = { message in messages.withLock { $0.append(message) } }
    fileSystem.base["/dir/store.json"] = try Self.bytes(1_000_000_001)
    fileSystem.failure.withLock { $0 = EMFILE }
    let store = try Store<Counters>.open(
      at: URL(fileURLWithPath: "/dir/store.json"), options: options, fileSystem: fileSystem, scheduler: scheduler)
    #expect(store.openReport?.watchProblem?.systemError == EMFILE)
    #expect(messages.withLock { $0 }.contains { $0.contains("Too many open files") })
    fileSystem.base["/dir/store.json"] = try Self.bytes(1_000_000_002)
    scheduler.advance(by: .seconds(2))
    #expect(store.read { $0.left[1]?.value } == 1_000_000_002)
    #expect(messages.withLock { $0.count } == 1)
    // An instance is free again: from now on changes are notified at once, and checks end.
    fileSystem.failure.withLock { $0 = nil }
    scheduler.advance(by: .seconds(2))
    fileSystem.base["/dir/store.json"] = try Self.bytes(1_000_000_003)
    scheduler.advance(by: .seconds(20))
    #expect(store.read { $0.left[1]?.value } == 1_000_000_002)
    fileSystem.tell()
    #expect(store.read { $0.left[1]?.value } == 1_000_000_003)
    #expect(store.snapshot().value.allViolations() == [])
    try store.closeAndWait()
  }

  #if os(Linux)
    // Of 128 that the user has.
    @Test func manyStoresTakeOneInstance() async throws {
      try await FolderUnderTest.with(.real) { folder in
        let before = Self.inotifyInstances
        var stores: [Store<Counters>] = []
        for number in 0..<20 {
          stores.append(try Store<Counters>.open(at: folder.url("\(number).json"), options: Self.options(.reload)))
        }
        // Other tests of this process may take one at the same time.
        #expect(Self.inotifyInstances < before + stores.count / 2)
        #expect(stores.allSatisfy { $0.openReport?.watchProblem == nil })
        for store in stores { try await store.close() }
      }
    }

    private static var inotifyInstances: Int {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
      return names.count {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == "anon_inode:inotify"
      }
    }
  #endif
}

/// A file system in memory that notifies of changes when a test says so.
private final class WatchableFileSystem: FileSystem {
  let base = InMemoryFileSystem(directories: ["/dir"])
  let failure = Mutex<Int32?>(nil)
  private let watchers = Mutex<[@Sendable () -> Void]>([])

  private final class Watch: FileWatch {}

  func tell() {
    for changed in watchers.withLock({ $0 }) { changed() }
  }

  func watch(
    _ name: String, in directory: String, _ changed: @escaping @Sendable () -> Void
  ) throws(SystemError) -> (any FileWatch)? {
    if let failure = failure.withLock({ $0 }) { throw SystemError(call: "inotify_init1", number: failure) }
    watchers.withLock { $0.append(changed) }
    return Watch()
  }

  var user: UInt32 { base.user }
  func resolve(_ path: String) throws(SystemError) -> String { try base.resolve(path) }
  func openDirectory(_ path: String) throws(SystemError) -> OpenFile { try base.openDirectory(path) }
  func openDirectory(_ name: String, in directory: OpenFile) throws(SystemError) -> OpenFile {
    try base.openDirectory(name, in: directory)
  }
  func makeDirectory(_ name: String, in directory: OpenFile) throws(SystemError) {
    try base.makeDirectory(name, in: directory)
  }
  func openLockFile(_ name: String, in directory: OpenFile) throws(SystemError) -> OpenFile {
    try base.openLockFile(name, in: directory)
  }
  func lock(_ file: OpenFile, timeLimit: Duration) throws(SystemError) { try base.lock(file, timeLimit: timeLimit) }
  func unlock(_ file: OpenFile) { base.unlock(file) }
  func requireWritable(_ name: String, in directory: OpenFile) throws(SystemError) {
    try base.requireWritable(name, in: directory)
  }
  func open(_ name: String, in directory: OpenFile) throws(SystemError) -> OpenFile {
    try base.open(name, in: directory)
  }
  func create(_ name: String, in directory: OpenFile) throws(SystemError) -> OpenFile {
    try base.create(name, in: directory)
  }
  func status(at path: String) throws(SystemError) -> FileStatus { try base.status(at: path) }
  func status(of name: String, in directory: OpenFile?) throws(SystemError) -> FileStatus {
    try base.status(of: name, in: directory)
  }
  func status(_ file: OpenFile) throws(SystemError) -> FileStatus { try base.status(file) }
  func read(_ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    try base.read(file, into: buffer)
  }
  func read(
    _ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(SystemError) -> Int { try base.read(file, into: buffer, at: offset) }
  func write(_ file: OpenFile, _ buffer: UnsafeRawBufferPointer) throws(SystemError) -> Int {
    try base.write(file, buffer)
  }
  func write(_ file: OpenFile, _ buffer: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) -> Int {
    try base.write(file, buffer, at: offset)
  }
  func append(_ file: OpenFile, _ buffer: UnsafeRawBufferPointer) throws(SystemError) -> Range<Int> {
    try base.append(file, buffer)
  }
  func setAccess(
    _ file: OpenFile, like status: FileStatus, of name: String, in directory: OpenFile, attributes: Bool
  ) throws(SystemError) {
    try base.setAccess(file, like: status, of: name, in: directory, attributes: attributes)
  }
  func sync(_ file: OpenFile) throws(SystemError) { try base.sync(file) }
  func syncData(_ file: OpenFile) throws(SystemError) { try base.syncData(file) }
  func rename(_ name: String, to newName: String, in directory: OpenFile) throws(SystemError) {
    try base.rename(name, to: newName, in: directory)
  }
  func link(
    _ name: String, in directory: OpenFile, to newName: String, in newDirectory: OpenFile
  ) throws(SystemError) { try base.link(name, in: directory, to: newName, in: newDirectory) }
  func remove(_ name: String, in directory: OpenFile) throws(SystemError) { try base.remove(name, in: directory) }
  func removeDirectory(_ name: String, in directory: OpenFile) throws(SystemError) {
    try base.removeDirectory(name, in: directory)
  }
  func setDates(_ file: OpenFile, created: Int64, modified: Int64) throws(SystemError) {
    try base.setDates(file, created: created, modified: modified)
  }
  func names(in directory: OpenFile) throws(SystemError) -> [String] { try base.names(in: directory) }
  func close(_ file: OpenFile) { base.close(file) }
}
