import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// A store in a process of its own: the remaining files after it ends, is killed, or waits for nothing.
@Suite(.timeLimit(.minutes(30)))
struct StoreProcessTests {
  @Test func whatWasClosedIsThereAfterTheProcess() async throws {
    try await FolderUnderTest.with(.real) { folder in
      await #expect(processExitsWith: .success) { [url = folder.url("store.json") as URL] in
        let store = try Store<Counters>.open(at: url)
        for value in 1...100 { try store.write { try $0.set(value, to: value * value) } }
        try await store.close()
        #expect(store.snapshot().value.allViolations() == [])
      }
      let store = try Store<Counters>.open(at: folder.url("store.json"))
      #expect(store.read { $0.left.map(\.value) } == (1...100).map { $0 * $0 })
      #expect(folder.names == ["store.json"])
      #expect(store.snapshot().value.allViolations() == [])
    }
  }

  // A flush is a promise that even an immediate kill does not break.
  @Test func whatWasFlushedIsThereAfterAKill() async throws {
    try await FolderUnderTest.with(.real) { folder in
      await #expect(processExitsWith: .signal(SIGKILL)) { [url = folder.url("store.json") as URL] in
        let store = try Store<Counters>.open(at: url, options: StoreOptions(policy: .manual))
        try store.write { try $0.set(1, to: 1) }
        try store.flushAndWait()
        try store.write { try $0.set(2, to: 2) }
        kill(getpid(), SIGKILL)
      }
      let store = try Store<Counters>.open(at: folder.url("store.json"))
      #expect(store.read { $0.left.map(\.value) } == [1])
      #expect(folder.names == ["store.json"])
      #expect(store.snapshot().value.allViolations() == [])
    }
  }

  // A tool that forgets to close its store ends when its work is done, and loses nothing.
  @Test func aPendingTimerDoesNotKeepAProcessAlive() async throws {
    try await FolderUnderTest.with(.real) { folder in
      await #expect(processExitsWith: .success) { [url = folder.url("store.json") as URL] in
        let policy = SavePolicy.automatic(delay: .seconds(3_600), maxDelay: .seconds(3_600))
        let store = try Store<Counters>.open(at: url, options: StoreOptions(policy: policy))
        try store.write { try $0.set(1, to: 1) }
        #expect(store.status.isDirty)
        #expect(store.snapshot().value.allViolations() == [])
      }
      let store = try Store<Counters>.open(at: folder.url("store.json"))
      #expect(store.read { $0.left.map(\.value) } == [1])
      #expect(store.snapshot().value.allViolations() == [])
    }
  }

  // A process that is killed in the middle of a save leaves the old content, and perhaps a harmless temporary.
  @Test(arguments: [
    "create temporary", "write temporary", "fchmod temporary", "fsync temporary", "renameat", "fsync directory",
  ])
  func aKillDuringASaveLeavesOneCompleteContent(_ step: String) async throws {
    try await FolderUnderTest.with(.real) { folder in
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [url = folder.url("store.json") as URL, step = step as String] in
        let count = StepCounter()
        // Opening makes the file, the first flush succeeds, and the process dies in the second one.
        let fileSystem = ObservedFileSystem(POSIXFileSystem()) { _, name in
          if name == step, count.next() == 3 - (step == "fchmod temporary" ? 1 : 0) { kill(getpid(), SIGKILL) }
          return nil
        }
        let store = try Store<Counters>.open(
          at: url, options: StoreOptions(policy: .manual), fileSystem: fileSystem, scheduler: ManualScheduler())
        try store.write { try $0.set(1, to: 1) }
        try store.flushAndWait()
        try store.write { try $0.set(1, to: 2) }
        try store.flushAndWait()
      }
      let store = try Store<Counters>.open(at: folder.url("store.json"))
      #expect([1, 2].contains(store.read { $0.left[1]?.value }))
      try store.write { try $0.set(1, to: 3) }
      try store.closeAndWait()
      #expect(try SnapshotFile.read(Counters.self, at: folder.url("store.json")).left[1]?.value == 3)
      #expect(store.snapshot().value.allViolations() == [])
    }
  }
}

/// Counts from 1.
private final class StepCounter: Sendable {
  private let count = Atomic(0)

  func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).newValue }
}
