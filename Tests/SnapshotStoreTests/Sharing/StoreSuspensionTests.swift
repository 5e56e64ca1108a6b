import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// A suspended store holds nothing, and forgets nothing.
struct StoreSuspensionTests {
  private let test = StoreUnderTest()

  private func open(_ access: StoreAccess = .shared, _ policy: SavePolicy = .automatic()) throws -> Store<Counters> {
    var options = StoreOptions(policy: policy, access: access, journal: .beside())
    options.log = { _ in }
    options.onExternalChange = { Issue.record("\($0)") }
    return try test.open(Counters.self, options)
  }

  private var users: Int {
    let text = String(decoding: test.fileSystem["/dir/.store.json.lock"] ?? [], as: UTF8.self)
    return text.split(separator: "\n").count { $0.hasPrefix("Open: ") }
  }

  @Test func aSuspendedStoreHasNoFileOpenAndSavesNothing() async throws {
    let store = try open()
    try store.write { try $0.set(1, to: 1) }
    try await store.flush()
    try store.write { try $0.set(2, to: 2) }
    #expect(test.fileSystem.openCount > 0)
    try await store.suspend(flushing: false)
    #expect(test.fileSystem.openCount == 0)
    #expect(users == 1)
    let calls = test.fileSystem.calls.count
    test.scheduler.advance(by: .seconds(3600))
    try store.write { try $0.set(3, to: 3) }
    #expect(store.read { $0.left.count } == 3)
    #expect(await store.checkFile() == nil)
    let error = await #expect(throws: SnapshotError.self) { try await store.flush() }
    #expect(error?.code == .suspended)
    #expect(test.fileSystem.calls.count == calls)
    store.resume()
    try await store.flush()
    #expect(users == 1)
    try await store.close()
    #expect(try test.stored().left.map(\.value) == [1, 2, 3])
    #expect(test.fileSystem.paths == ["/dir/store.json"])
    #expect(test.fileSystem.openCount == 0)
  }

  @Test func whatOthersHaveSavedMeanwhileIsTakenIn() async throws {
    let (store, other) = (try open(), try open())
    try store.write { try $0.set(1, to: 1) }
    try await store.suspend()
    test.scheduler.advance(by: .seconds(3))
    try other.write { value in
      try value.set(1, to: 2)
      try value.set(2, to: 2)
    }
    try await other.flush(folding: true)
    try other.write { try $0.set(3, to: 3) }
    try await other.flush()
    try store.write { try $0.set(4, to: 4) }
    #expect(store.read { $0.left.map(\.value) } == [1, 4])
    store.resume()
    test.scheduler.advance(by: .seconds(3))
    #expect(store.read { $0.left.map(\.value) } == [2, 2, 3, 4])
    try await store.flush()
    #expect(other.read { $0.left.map(\.value) } == [2, 2, 3, 4])
    // The base was known, so nothing was kept beside the file.
    #expect(test.paths.filter { $0.contains("-") } == [])
    try await other.close()
    try await store.close()
  }

  @Test func aFlushThatFailsDoesNotKeepTheStoreFromBeingSuspended() async throws {
    let store = try open()
    let holder = try open(.exclusive)
    let count = test.fileSystem.openCount
    try store.write { try $0.set(1, to: 1) }
    let error = await #expect(throws: SnapshotError.self) { try await store.suspend() }
    #expect(error?.code == .locked)
    #expect(test.fileSystem.openCount < count)
    try await holder.close()
    #expect(test.fileSystem.openCount == 0)
    store.resume()
    try await store.close()
    #expect(try test.stored().left.map(\.value) == [1])
  }

  /// The program comes back while the save of the suspension runs.
  @Test func resumingEndsASuspensionThatStillSaves() async throws {
    let store = SmallLock<Store<Counters>?>(nil)
    let fileSystem = ObservedFileSystem(test.fileSystem) { _, call in
      if ["fsync temporary", "fdatasync temporary"].contains(call) { store.withLock { $0 }?.resume() }
      return nil
    }
    var options = StoreOptions(access: .shared, journal: .beside())
    options.log = { _ in }
    let opened = try Store<Counters>.open(
      at: URL(fileURLWithPath: test.path), options: options, fileSystem: fileSystem, scheduler: test.scheduler)
    store.withLock { $0 = opened }
    for isAsync in [true, false] {
      try opened.write { try $0.set(1, to: isAsync ? 1 : 2) }
      // The making of the journal, or of the file, syncs a temporary file.
      if isAsync { try await opened.suspend() } else { try suspendFolding(opened) }
      #expect(opened.saver?.isSuspended == false)
      try opened.write { try $0.set(2, to: isAsync ? 1 : 2) }
      try await opened.flush(folding: true)
    }
    store.withLock { $0 = nil }
    try await opened.close()
    #expect(try test.stored().left.map(\.value) == [2, 2])
  }

  /// In a function that is not asynchronous.
  private func suspendFolding(_ store: Store<Counters>) throws { try store.suspendAndWait() }

  @Test func closingSavesNevertheless() async throws {
    for access in [StoreAccess.shared, .exclusive] {
      let test = StoreUnderTest()
      let store = try test.open(Counters.self, StoreOptions(access: access, journal: .beside()))
      try store.write { try $0.set(1, to: 1) }
      try await store.suspend(flushing: false)
      try await store.close()
      #expect(try test.stored().left.map(\.value) == [1])
      #expect(test.fileSystem.openCount == 0)
    }
  }

  @Test func theDeallocationSavesNevertheless() async throws {
    var store: Store<Counters>? = try open()
    try store?.write { try $0.set(1, to: 1) }
    try await store?.suspend(flushing: false)
    store = nil
    #expect(try test.stored().left.map(\.value) == [1])
    #expect(test.fileSystem.openCount == 0)
  }

  @Test func anExclusiveStoreKeepsItsLock() async throws {
    let store = try open(.exclusive)
    try await store.suspend()
    let error = #expect(throws: SnapshotError.self) { try open(.exclusive) }
    #expect(error?.code == .locked)
    store.resume()
    try await store.close()
  }
}
