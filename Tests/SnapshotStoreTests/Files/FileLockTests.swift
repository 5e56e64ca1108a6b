import Foundation
import Testing

@testable import SnapshotStore

/// One holder at a time, and none that is gone.
@Suite(.timeLimit(.minutes(10)))
struct FileLockTests {
  @Test(arguments: FolderUnderTest.Kind.allCases)
  func oneHolderAtATime(_ kind: FolderUnderTest.Kind) throws {
    try FolderUnderTest.with(kind) { folder in
      let location = try folder.location("file")
      let lock = try FileLock(of: location, on: folder.fileSystem)
      let error = #expect(throws: SnapshotError.self) { try FileLock(of: location, on: folder.fileSystem) }
      #expect(error?.code == .locked)
      #expect(error?.path == location.path)
      #expect(error?.message.contains("this program itself") == true)
      #expect(error?.message.contains("(process \(ProcessInfo.processInfo.processIdentifier)) since 20") == true)
      lock.release()
      #expect(folder.allNames == [])
      let next = try FileLock(of: location, on: folder.fileSystem)
      // Releasing twice takes nothing from the next holder.
      lock.release()
      #expect(folder.allNames == [".file.lock"])
      #expect(throws: SnapshotError.self) { try FileLock(of: location, on: folder.fileSystem) }
      next.release()
      #expect(folder.allNames == [])
    }
  }

  @Test func aLockThatIsForgottenIsReleased() throws {
    try FolderUnderTest.with(.inMemory) { folder in
      for _ in 0..<3 { _ = try FileLock(of: folder.location("file"), on: folder.fileSystem) }
      #expect(folder.allNames == [])
      #expect((folder.fileSystem as? InMemoryFileSystem)?.openCount == 0)
    }
  }

  // What a process that was killed left behind, whoever it was, locks nothing and is taken over.
  @Test(arguments: FolderUnderTest.Kind.allCases)
  func aFileThatWasLeftBehindLocksNothing(_ kind: FolderUnderTest.Kind) throws {
    try FolderUnderTest.with(kind) { folder in
      folder[".file.lock"] = Array(repeating: UInt8(ascii: "x"), count: 1000)
      let lock = try FileLock(of: folder.location("file"), on: folder.fileSystem)
      let error = #expect(throws: SnapshotError.self) {
        try FileLock(of: folder.location("file"), on: folder.fileSystem)
      }
      #expect(error?.message.contains("x (process") == false)
      #expect(error?.message.contains("this program itself") == true)
      lock.release()
      #expect(folder.allNames == [])
    }
  }

  @Test func aHolderThatIsKilledBlocksNobody() async throws {
    try await FolderUnderTest.with(.real) { folder in
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = "\(folder.path)/file" as String] in
        let location = try FileLocation(path, on: POSIXFileSystem())
        let lock = try FileLock(of: location, on: POSIXFileSystem())
        withExtendedLifetime(lock) { _ = kill(getpid(), SIGKILL) }
      }
      #expect(folder.allNames == [".file.lock"])
      try FileLock(of: folder.location("file"), on: folder.fileSystem).release()
      #expect(folder.allNames == [])
    }
  }

  // Someone clears away hidden files: the next holder's lock file is not removed by the one before.
  @Test(arguments: FolderUnderTest.Kind.allCases)
  func onlyTheOwnFileIsRemoved(_ kind: FolderUnderTest.Kind) throws {
    try FolderUnderTest.with(kind) { folder in
      let location = try folder.location("file")
      let first = try FileLock(of: location, on: folder.fileSystem)
      folder.remove(".file.lock")
      let second = try FileLock(of: location, on: folder.fileSystem)
      first.release()
      #expect(folder.allNames == [".file.lock"])
      #expect(throws: SnapshotError.self) { try FileLock(of: location, on: folder.fileSystem) }
      second.release()
      #expect(folder.allNames == [])
    }
  }

  // A file that may not be written has a lock that its owner can open all the same.
  @Test func theLockCanBeOpenedAgain() throws {
    try FolderUnderTest.with(.inMemory) { folder in
      folder["file"] = [1]
      try folder.setMode(0o444, of: "file")
      let lock = try FileLock(of: folder.location("file"), on: folder.fileSystem)
      #expect(try folder.mode(of: ".file.lock") == 0o644)
      lock.release()
    }
  }

  // What is in the file is shown to people, so it is made harmless.
  @Test func whatTheHolderWroteIsUntrusted() throws {
    try FolderUnderTest.with(.inMemory) { folder in
      let lock = try FileLock(of: folder.location("file"), on: folder.fileSystem)
      folder[".file.lock"] = nil
      folder[".file.lock"] = Array("\u{1B}[31mevil\u{202E}\nsecond".utf8)
      let directory = try folder.fileSystem.openDirectory(folder.path)
      let other = try folder.fileSystem.openLockFile(".file.lock", in: directory)
      try folder.fileSystem.lock(other, timeLimit: .zero)
      let error = #expect(throws: SnapshotError.self) {
        try FileLock(of: folder.location("file"), on: folder.fileSystem)
      }
      #expect(error?.message == "\\u{1B}[31mevil\\u{202E} has the file open for writing")
      folder.fileSystem.close(other)
      folder.fileSystem.close(directory)
      lock.release()
    }
  }

  // Long names that begin alike are different files.
  @Test func longNamesHaveLocksOfTheirOwn() throws {
    let names = ["a", "b"].map { String(repeating: "ü", count: 120) + $0 }
    try FolderUnderTest.with(.real) { folder in
      let locks = try names.map { try FileLock(of: folder.location($0), on: folder.fileSystem) }
      #expect(folder.allNames.count == 2)
      for lock in locks { lock.release() }
    }
    #expect(Set(names.map(FileLock.name)).allSatisfy { $0.utf8.count <= 255 })
  }

  // Whoever waits gets the lock when it is free; many who take turns never hold it together.
  @Test func holdersTakeTurns() throws {
    try FolderUnderTest.with(.real) { folder in
      let location = try folder.location("file")
      onThreads(8) { _ in
        for _ in 0..<25 {
          do {
            let lock = try FileLock(of: location, on: POSIXFileSystem(), timeLimit: .seconds(300))
            // The counter is read and written under the lock alone.
            let count = folder["count"].map { Int(String(decoding: $0, as: UTF8.self)) ?? -1_000 } ?? 0
            folder["count"] = Array("\(count + 1)".utf8)
            lock.release()
          } catch {
            Issue.record("\(error)")
          }
        }
      }
      #expect(folder["count"] == Array("200".utf8))
      #expect(folder.allNames == ["count"])
    }
  }

  // Every call may fail: the error says so, and nothing stays open or locked.
  @Test func everyFaultIsAnError() throws {
    for number in 1...20 {
      for errno in [EIO, ENOSPC, EACCES, EROFS, EMFILE] {
        try FolderUnderTest.with(.inMemory) { folder in
          let location = try folder.location("file")
          let observed = ObservedFileSystem(folder.fileSystem) { $0 == number && $1 != "write lock" ? errno : nil }
          do throws(SnapshotError) {
            try FileLock(of: location, on: observed).release()
          } catch {
            #expect(error.systemError == errno)
            #expect(error.path == location.path)
          }
          #expect(observed.open == [])
          try FileLock(of: location, on: folder.fileSystem).release()
        }
      }
    }
  }
}
