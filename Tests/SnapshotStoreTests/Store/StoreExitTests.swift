import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// The end of a process without closing its stores: all writes are in the file, and no other file is left.
@Suite(.timeLimit(.minutes(30)))
struct StoreExitTests {
  /// Opens a store with default options except for the policy, and changes it.
  @discardableResult
  private static func openAndChange(
    _ url: URL, _ policy: SavePolicy = .automatic(), flushesOnSignals: Bool = false
  ) throws -> Store<Counters> {
    var options = StoreOptions(policy: policy)
    options.flushesOnSignals = flushesOnSignals
    options.log = { _ in }
    let store = try Store<Counters>.open(at: url, options: options)
    try store.write { try $0.set(1, to: 1) }
    return store
  }

  /// Checks the content of the file, and that no other file is beside it.
  private static func expectSaved(_ folder: FolderUnderTest, _ value: Int? = 1, alone: Bool = true) throws {
    let saved = try SnapshotFile.read(Counters.self, at: folder.url("store.json"))
    #expect(saved.left[1]?.value == value)
    // Two saves leave an older version. Whether there were two depends on time.
    let names = folder.allNames.filter { !$0.hasSuffix(".generations") }
    if alone { #expect(names == ["store.json"]) }
  }

  @Test func exitSaves() async throws {
    try await FolderUnderTest.with(.real) { folder in
      await #expect(processExitsWith: .exitCode(3)) { [url = folder.url("store.json") as URL] in
        let store = try Self.openAndChange(url)
        withExtendedLifetime(store) { exit(3) }
      }
      try Self.expectSaved(folder)
    }
  }

  // As in a signal handler that has interrupted the holder of a lock that no save needs.
  @Test func exitUnderASmallLockSaves() async throws {
    try await FolderUnderTest.with(.real) { folder in
      await #expect(processExitsWith: .exitCode(3)) { [url = folder.url("store.json") as URL] in
        let store = try Self.openAndChange(url)
        let lock = SmallLock(1)
        withExtendedLifetime(store) { lock.withLock { if $0 == 1 { exit(3) } } }
      }
      try Self.expectSaved(folder)
    }
  }

  @Test func exitWaitsForBackgroundBlocks() async throws {
    try await FolderUnderTest.with(.real) { folder in
      await #expect(processExitsWith: .exitCode(3)) { [url = folder.url("store.json") as URL] in
        try Self.changeInBackground(url)
        exit(3)
      }
      try Self.expectSaved(folder)
    }
  }

  /// Begins a block without waiting.
  private static func changeInBackground(_ url: URL) throws {
    let store = try Store<Counters>.open(at: url)
    for id in (1...100).reversed() { store.performBackground { try $0.set(id, to: id) } }
  }

  // The exit waits for the save that the store's end began.
  @Test func aStoreThatWasDeallocatedIsSaved() async throws {
    try await FolderUnderTest.with(.real) { folder in
      await #expect(processExitsWith: .exitCode(3)) { [url = folder.url("store.json") as URL] in
        for number in 0..<20 {
          try Self.openAndChange(url.deletingLastPathComponent().appending(path: "\(number).json"))
        }
        exit(3)
      }
      #expect(folder.allNames.count == 20)
      for name in folder.allNames {
        let saved = try SnapshotFile.read(Counters.self, at: folder.url(name))
        #expect(saved.left[1]?.value == 1)
      }
    }
  }

  @Test func theEndOfMainSaves() async throws {
    try await FolderUnderTest.with(.real) { folder in
      await #expect(processExitsWith: .success) { [url = folder.url("store.json") as URL] in
        Forever.store = try Self.openAndChange(url, .immediate)
        try Forever.store?.write { try $0.set(1, to: 2) }
      }
      try Self.expectSaved(folder, 2)
    }
  }

  // Changes that the policy does not save are not saved, and the program is told.
  @Test func aManualStoreIsNotSaved() async throws {
    try await FolderUnderTest.with(.real) { folder in
      let result = await #expect(processExitsWith: .exitCode(3), observing: [\.standardErrorContent]) {
        [url = folder.url("store.json") as URL] in
        let store = try Store<Counters>.open(at: url, options: StoreOptions(policy: .manual))
        try store.write { try $0.set(1, to: 1) }
        withExtendedLifetime(store) { exit(3) }
      }
      try Self.expectSaved(folder, nil)
      let lines = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).split(separator: "\n")
      #expect(
        lines.count == 1 && lines[0].hasPrefix("SnapshotStore: the store “\(folder.path)/store.json”: its policy is"))
    }
  }

  // The transaction that calls exit is not complete, and the one before it is.
  @Test func exitInsideOfATransaction() async throws {
    try await FolderUnderTest.with(.real) { folder in
      await #expect(processExitsWith: .exitCode(3)) { [url = folder.url("store.json") as URL] in
        let store = try Self.openAndChange(url)
        try store.write {
          try $0.set(1, to: 2)
          exit(3)
        }
      }
      try Self.expectSaved(folder)
    }
  }

  @Test func exitBesideATransactionThatDoesNotEnd() async throws {
    try await FolderUnderTest.with(.real) { folder in
      await #expect(processExitsWith: .exitCode(3)) { [url = folder.url("store.json") as URL] in
        let store = try Self.openAndChange(url)
        let isInside = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          try? store.write { _ in
            isInside.signal()
            DispatchSemaphore(value: 0).wait()
          }
        }
        isInside.wait()
        exit(3)
      }
      try Self.expectSaved(folder)
    }
  }

  // On the saver's own thread; and on another one that the saver's thread waits for.
  @Test(arguments: [true, false])
  func exitWhileAnExternalChangeIsReported(_ exitsThere: Bool) async throws {
    try await FolderUnderTest.with(.real) { folder in
      await #expect(processExitsWith: .exitCode(3)) {
        [url = folder.url("store.json") as URL, exitsThere = exitsThere as Bool] in
        let isReported = DispatchSemaphore(value: 0)
        var options = StoreOptions(policy: .automatic(delay: .seconds(3600), maxDelay: .seconds(3600)))
        options.externalChanges = .merge
        options.onExternalChange = { _ in
          isReported.signal()
          if exitsThere { exit(3) }
          DispatchSemaphore(value: 0).wait()
        }
        let store = try Store<Counters>.open(at: url, options: options)
        try store.write { try $0.set(1, to: 1) }
        var other = Counters()
        try other.set(2, to: 2)
        try Data(SnapshotFile.encode(other, as: .json)).write(to: url, options: .atomic)
        isReported.wait()
        if exitsThere { DispatchSemaphore(value: 0).wait() }
        withExtendedLifetime(store) { exit(3) }
      }
      let saved = try SnapshotFile.read(Counters.self, at: folder.url("store.json"))
      #expect(saved.left.map(\.value) == [1, 2])
      #expect(folder.names == ["store.json"])
    }
  }

  // The second thread must not end the process while the first one saves.
  @Test func twoThreadsThatExitAtOnce() async throws {
    try await FolderUnderTest.with(.real) { folder in
      await #expect(processExitsWith: .exitCode(3)) { [url = folder.url("store.json") as URL] in
        let isEnding = Atomic(false)
        let fileSystem = ObservedFileSystem(POSIXFileSystem()) { _, name in
          if name == "fsync temporary", isEnding.load(ordering: .relaxed) {
            Thread.detachNewThread { exit(3) }
            // Long enough for a process to end if it does not wait.
            _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(100))
          }
          return nil
        }
        let store = try Store<Counters>.open(
          at: url, options: StoreOptions(), fileSystem: fileSystem, scheduler: ManualScheduler(), exit: .shared)
        try store.write { try $0.set(1, to: 1) }
        isEnding.store(true, ordering: .relaxed)
        withExtendedLifetime(store) { exit(3) }
      }
      try Self.expectSaved(folder)
    }
  }

  // The child has a copy of the store, but neither its thread nor its lock.
  @Test func aForkedChildLeavesTheStoreToItsParent() async throws {
    try await FolderUnderTest.with(.real) { folder in
      await #expect(processExitsWith: .exitCode(3)) { [url = folder.url("store.json") as URL] in
        let store = try Self.openAndChange(url)
        typealias Fork = @convention(c) () -> Int32
        // Swift hides it, but C code of a program may well call it.
        let fork = unsafeBitCast(dlsym(dlopen(nil, RTLD_NOW), "fork"), to: Fork.self)
        let child = fork()
        if child == 0 { exit(0) }
        var status: Int32 = -1
        waitpid(child, &status, 0)
        let isUntouched = try SnapshotFile.read(Counters.self, at: url).left.isEmpty
        let isLocked = throwsLocked { try Store<Counters>.open(at: url) }
        try store.write { try $0.set(1, to: 2) }
        withExtendedLifetime(store) { exit(status == 0 && isUntouched && isLocked ? 3 : 4) }
      }
      try Self.expectSaved(folder, 2)
    }
  }

  // The process ends by the signal, as its parent expects, but saves first.
  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func aSignalSaves(_ number: Int32) async throws {
    try await FolderUnderTest.with(.real) { folder in
      if number == SIGTERM {
        await #expect(processExitsWith: .signal(SIGTERM)) { [url = folder.url("store.json") as URL] in
          let store = try Self.openAndChange(url, flushesOnSignals: true)
          kill(getpid(), SIGTERM)
          withExtendedLifetime(store) { while true { pause() } }
        }
      } else if number == SIGHUP {
        await #expect(processExitsWith: .signal(SIGHUP)) { [url = folder.url("store.json") as URL] in
          // The tests may run without a terminal, which ignores it.
          signal(SIGHUP, SIG_DFL)
          let store = try Self.openAndChange(url, flushesOnSignals: true)
          // A terminal that is closed may send more than one.
          for _ in 0..<3 { kill(getpid(), SIGHUP) }
          withExtendedLifetime(store) { while true { pause() } }
        }
      } else {
        await #expect(processExitsWith: .signal(SIGINT)) { [url = folder.url("store.json") as URL] in
          let store = try Self.openAndChange(url, flushesOnSignals: true)
          kill(getpid(), SIGINT)
          withExtendedLifetime(store) { while true { pause() } }
        }
      }
      try Self.expectSaved(folder)
    }
  }

  // By default a signal ends the process as if there were no store.
  @Test func aSignalDoesNotSaveByDefault() async throws {
    try await FolderUnderTest.with(.real) { folder in
      await #expect(processExitsWith: .signal(SIGTERM)) { [url = folder.url("store.json") as URL] in
        let store = try Self.openAndChange(url, .automatic(delay: .seconds(3600), maxDelay: .seconds(3600)))
        kill(getpid(), SIGTERM)
        withExtendedLifetime(store) { while true { pause() } }
      }
      try Self.expectSaved(folder, nil, alone: false)
    }
  }

  // A program's own handler stays, and is called; the store leaves the signal to it.
  @Test func handlersOfTheProgramStay() async throws {
    try await FolderUnderTest.with(.real) { folder in
      await #expect(processExitsWith: .exitCode(7)) { [url = folder.url("store.json") as URL] in
        signal(SIGTERM) { _ in _exit(7) }
        signal(SIGINT, SIG_IGN)
        let store = try Self.openAndChange(
          url, .automatic(delay: .seconds(3600), maxDelay: .seconds(3600)), flushesOnSignals: true)
        kill(getpid(), SIGINT)
        kill(getpid(), SIGTERM)
        withExtendedLifetime(store) { while true { pause() } }
      }
      try Self.expectSaved(folder, nil, alone: false)
    }
  }
}

/// A variable of the program, which is never deinitialised.
private enum Forever {
  nonisolated(unsafe) static var store: Store<Counters>?
}

private func throwsLocked(_ body: () throws -> some Any) -> Bool {
  do {
    _ = try body()
    return false
  } catch {
    return (error as? SnapshotError)?.code == .locked
  }
}
