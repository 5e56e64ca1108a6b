import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// A lock that a store has for a save only, and takes again for the next one.
@Suite(.timeLimit(.minutes(30)))
struct RepeatedFileLockTests {
  #if os(Linux)
    /// A child process has a copy of each open file until it runs another program.
    @Test func aCopyOfTheOpenFileDoesNotKeepTheLock() throws {
      try FolderUnderTest.with(.real) { folder in
        let location = try folder.location("file")
        let (lock, other) = (
          try FileLock(of: location, on: folder.fileSystem, waiting: Self.none, .forASave),
          try #require(FileLock(behindHolderOf: location, on: folder.fileSystem))
        )
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
        let descriptor = try #require(
          open.first { number in
            let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
            return path == location.path.replacing("/file", with: "/.file.lock")
          })
        let copy = dup(descriptor)
        defer { Foundation.close(copy) }
        lock.end()
        try other.take(waiting: Self.none)
        other.end()
      }
    }
  #endif

  private static let none = LockPatience(holder: .zero, saver: .zero)

  @Test(arguments: FolderUnderTest.Kind.allCases)
  func aLockIsTakenAgain(_ kind: FolderUnderTest.Kind) throws {
    try FolderUnderTest.with(kind) { folder in
      let location = try folder.location("file")
      let first = try FileLock(of: location, on: folder.fileSystem, waiting: Self.none, .forASave)
      first.release()
      #expect(folder.allNames == [".file.lock"])
      let second = try FileLock(of: location, on: folder.fileSystem, waiting: Self.none, .forASave)
      let error = #expect(throws: SnapshotError.self) { try first.take(waiting: Self.none) }
      #expect(error?.code == .locked)
      second.release()
      try first.take(waiting: Self.none)
      try first.take(waiting: Self.none)
      #expect(throws: SnapshotError.self) { try second.take(waiting: Self.none) }
      #expect(String(decoding: folder[".file.lock"] ?? [], as: UTF8.self).contains("Z, for a save "))
      first.release()
      try second.take(waiting: Self.none)
      // Another one holds it, so its file stays.
      first.end()
      #expect(folder.allNames == [".file.lock"])
      second.release()
      second.end()
      #expect(folder.allNames == [])
      #expect(throws: SnapshotError.self) { try second.take(waiting: Self.none) }
      #expect((folder.fileSystem as? InMemoryFileSystem)?.openCount ?? 0 == 0)
    }
  }

  /// An opening that need not wait for stores still waits for a save.
  @Test func anOpeningWaitsForASave() throws {
    let folder = try TemporaryFolder()
    let location = try FileLocation(folder.url("file").path, on: POSIXFileSystem())
    // One thread at a time uses it.
    nonisolated(unsafe) let saver = try FileLock(of: location, on: POSIXFileSystem(), .forASave)
    let (waits, ends) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      // The first try does not wait.
      for _ in 0..<2 { waits.wait() }
      saver.release()
      ends.signal()
    }
    let observed = ObservedFileSystem(POSIXFileSystem()) { _, step in
      if step.hasPrefix("flock") { waits.signal() }
      return nil
    }
    let opening = try FileLock(of: location, on: observed, waiting: .opening(.zero))
    ends.wait()
    let begin = ContinuousClock.now
    let error = #expect(throws: SnapshotError.self) { try saver.take(waiting: LockPatience.opening(.zero)) }
    #expect(ContinuousClock.now - begin < .seconds(1))
    #expect(error?.advice == "Close it there, or wait. It can be read meanwhile.")
    opening.end()
    try saver.take(waiting: Self.none)
    let other = #expect(throws: SnapshotError.self) {
      try FileLock(of: location, on: POSIXFileSystem(), waiting: Self.none)
    }
    #expect(other?.message.wholeMatch(of: /this program itself, .* has been saving since 20[-0-9:TZ]*/) != nil)
    #expect(other?.advice == "If it was stopped, let it continue, or end it.")
    saver.end()
  }

  /// A process that was stopped before it wrote its name. Nobody else may be taken for it.
  @Test(arguments: FolderUnderTest.Kind.allCases)
  func aHolderWithoutANameIsNotTakenForTheOneBefore(_ kind: FolderUnderTest.Kind) throws {
    try FolderUnderTest.with(kind) { folder in
      let location = try folder.location("file")
      let before = try FileLock(of: location, on: folder.fileSystem, waiting: Self.none, .forASave)
      before.release()
      let directory = try folder.fileSystem.openDirectory(location.directory)
      let file = try folder.fileSystem.openLockFile(".file.lock", in: directory)
      try folder.fileSystem.lock(file, timeLimit: .zero)
      let error = #expect(throws: SnapshotError.self) { try before.take(waiting: Self.none) }
      #expect(error?.message == "another process saves, and does not come to an end")
      folder.fileSystem.close(file)
      folder.fileSystem.close(directory)
      try before.take(waiting: Self.none)
      before.end()
    }
  }

  // As `git clean` does.
  @Test(arguments: FolderUnderTest.Kind.allCases)
  func aLockIsTakenAgainAfterItsFileWasRemoved(_ kind: FolderUnderTest.Kind) throws {
    try FolderUnderTest.with(kind) { folder in
      let location = try folder.location("file")
      let first = try FileLock(of: location, on: folder.fileSystem)
      first.release()
      folder.remove(".file.lock")
      try first.take(waiting: Self.none)
      #expect(folder.allNames == [".file.lock"])
      #expect(throws: SnapshotError.self) { try FileLock(of: location, on: folder.fileSystem) }
      first.release()
      // The next holder has a file of its own.
      folder.remove(".file.lock")
      let second = try FileLock(of: location, on: folder.fileSystem)
      let error = #expect(throws: SnapshotError.self) { try first.take(waiting: Self.none) }
      #expect(error?.code == .locked)
      second.end()
      // Something else has the name.
      folder[".file.lock"] = Array("a note".utf8)
      #expect(throws: SnapshotError.self) { try first.take(waiting: Self.none) }
      #expect(folder[".file.lock"] == Array("a note".utf8))
      folder.remove(".file.lock")
      try first.take(waiting: Self.none)
      first.end()
      #expect(folder.allNames == [])
    }
  }
}
