import Dispatch
import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Calls that wait for the store, in code that the store waits for. Each ends at once. The folder is a real one.
@Suite(.timeLimit(.minutes(30)))
struct StoreCallbackTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The error of a call in `onExternalChange`; nil if it succeeded.
  private func error(
    _ access: StoreAccess, _ journal: JournalPolicy = .none,
    of call: @escaping @Sendable (Store<Counters>, URL) throws -> Void
  ) async throws -> (code: SnapshotError.Code?, store: Store<Counters>) {
    let url = folder.url("store.json")
    let isCalled = DispatchSemaphore(value: 0)
    let opened = SmallLock<Store<Counters>?>(nil)
    let code = SmallLock<SnapshotError.Code?>(nil)
    var options = StoreOptions(policy: .automatic(), access: access, journal: journal, externalChanges: .merge)
    options.log = { _ in }
    options.onExternalChange = { _ in
      guard let store = opened.withLock({ $0.take() }) else { return }
      do { try call(store, url) } catch { code.withLock { $0 = (error as? SnapshotError)?.code } }
      isCalled.signal()
    }
    let store = try Store<Counters>.open(at: url, options: options)
    try store.write { try $0.set(1, to: 1) }
    try store.flushAndWait()
    opened.withLock { $0 = store }
    var other: Counters = try SnapshotFile.read(at: url)
    try other.set(2, to: 2)
    try Data(SnapshotFile.encode(other, as: .json)).write(to: url, options: .atomic)
    #expect(await isCalled.arrives(), "it hangs")
    return (code.withLock { $0 }, store)
  }

  private static let places: [(StoreAccess, JournalPolicy)] = [
    (.exclusive, .none), (.exclusive, .beside()), (.shared, .none), (.shared, .beside()),
  ]

  // The save that it asks for follows when the code returns.
  @Test(arguments: places) func aFlushThatWouldWaitForItselfFails(
    _ access: StoreAccess, _ journal: JournalPolicy
  ) async throws {
    let (code, store) = try await error(access, journal) { store, _ in
      try store.write { try $0.set(10, to: 10) }
      try store.flushAndWait(folding: true)
    }
    #expect(code == .wouldDeadlock)
    try store.flushAndWait(folding: true)
    #expect(store.read { $0.left.map(\.id) } == [1, 2, 10])
    #expect(store.snapshot().value.allViolations() == [])
    try store.closeAndWait()
  }

  @Test(arguments: places) func aCloseThatWouldWaitForItselfFails(
    _ access: StoreAccess, _ journal: JournalPolicy
  ) async throws {
    let (code, store) = try await error(access, journal) { store, _ in
      try store.write { try $0.set(10, to: 10) }
      try store.closeAndWait()
    }
    #expect(code == .wouldDeadlock)
    try store.write { try $0.set(11, to: 11) }
    try store.closeAndWait()
    #expect(store.snapshot().value.allViolations() == [])
  }

  // Another thread may wait there, as long as the code does not wait for that thread.
  @Test func aFlushThatIsBegunThereSucceeds() async throws {
    let (result, continuation) = AsyncStream.makeStream(of: (any Error)?.self)
    let (_, store) = try await error(.exclusive) { store, _ in
      try store.write { try $0.set(10, to: 10) }
      Task {
        do {
          try await store.flush()
          continuation.yield(nil)
        } catch {
          continuation.yield(error)
        }
        continuation.finish()
      }
    }
    for await error in result { #expect(error == nil) }
    #expect(store.durableRevision >= store.revision)
    try await store.close()
    #expect(store.snapshot().value.allViolations() == [])
  }

  // The store has the lock of its file, and cannot give it back before the code returns.
  @Test(arguments: [false, true]) func aSessionOnTheSameFileFailsAtOnce(ofTheWholeFile: Bool) async throws {
    let (code, store) = try await error(.exclusive) { _, url in
      let limit = Duration.seconds(3_600)
      if ofTheWholeFile {
        try SnapshotFile.change(Counters.self, at: url, waitingAtMost: limit) { try $0.value.set(20, to: 20) }
      } else {
        try Store<Counters>.update(at: url, waitingAtMost: limit) { try $0.set(20, to: 20) }
      }
    }
    #expect(code == .locked)
    try store.closeAndWait()
    #expect(store.snapshot().value.allViolations() == [])
  }

  // A store that shares its file has given the lock back.
  @Test func sessionsOnASharedFileSucceed() async throws {
    let (code, store) = try await error(.shared) { _, url in
      try Store<Counters>.update(at: url, waitingAtMost: .seconds(60)) { try $0.set(20, to: 20) }
    }
    #expect(code == nil)
    try store.closeAndWait()
    let stored: Counters = try SnapshotFile.read(at: folder.url("store.json"))
    #expect(stored.left.map(\.id) == [1, 2, 20])
    #expect(stored.allViolations() == [])
  }

  @Test func sessionsOnOtherFilesSucceed() async throws {
    let other = folder.url("other.json")
    let (code, store) = try await error(.exclusive) { _, _ in
      try Store<Counters>.update(at: other) { try $0.set(20, to: 20) }
    }
    #expect(code == nil)
    try store.closeAndWait()
    #expect(store.snapshot().value.allViolations() == [])
  }

  // In the log, as in `onExternalChange`.
  @Test func aFlushInTheLogFails() async throws {
    let opened = SmallLock<Store<Counters>?>(nil)
    let code = SmallLock<SnapshotError.Code?>(nil)
    let isCalled = DispatchSemaphore(value: 0)
    var options = StoreOptions(policy: .immediate)
    options.generations.interval = .zero
    options.log = { _ in
      guard let store = opened.withLock({ $0.take() }) else { return }
      do { try store.flushAndWait() } catch { code.withLock { $0 = (error as? SnapshotError)?.code } }
      isCalled.signal()
    }
    let url = folder.url("store.json")
    let store = try Store<Counters>.open(at: url, options: options)
    opened.withLock { $0 = store }
    // The save fails.
    try Data("{}".utf8).write(to: url, options: .atomic)
    try store.write { try $0.set(1, to: 1) }
    #expect(await isCalled.arrives(), "it hangs")
    #expect(code.withLock { $0 } == .wouldDeadlock)
    try FileManager.default.removeItem(at: url)
    // It may join the save that runs, which has met the other file.
    try? store.flushAndWait()
    try store.closeAndWait()
    #expect(store.snapshot().value.allViolations() == [])
  }
}
