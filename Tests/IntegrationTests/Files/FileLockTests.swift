import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// There is one holder at a time, and none that has ended.
@Suite(.timeLimit(.minutes(30)))
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
      lock.end()
      #expect(folder.allNames == [])
      let next = try FileLock(of: location, on: folder.fileSystem)
      // Releasing twice takes nothing from the next holder.
      lock.end()
      #expect(folder.allNames == [".file.lock"])
      #expect(throws: SnapshotError.self) { try FileLock(of: location, on: folder.fileSystem) }
      next.end()
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

  /// The remnants of processes: a complete text, one without its mark, a cut one, and nothing. A power cut leaves
  /// zeros, in place of all or of a part.
  private static let leftBehind = [
    LockText.own(), Array("x (process 12345) since 2026-11-21T15:30:12Z".padded.utf8), Array(LockText.own().prefix(70)),
    Array("Snap".utf8), [], [UInt8](repeating: 0, count: 256), Array(LockText.own().prefix(9)) + zeros(247),
    zeros(128) + Array(LockText.own().suffix(128)),
  ]

  private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

  // It locks nothing and is taken over.
  @Test func aFileThatWasLeftBehindLocksNothing() {
    each(FolderUnderTest.Kind.allCases, Self.leftBehind) { (kind: FolderUnderTest.Kind, bytes: [UInt8]) throws in
      try FolderUnderTest.with(kind) { folder in
        folder[".file.lock"] = bytes
        let lock = try FileLock(of: folder.location("file"), on: folder.fileSystem)
        let error = #expect(throws: SnapshotError.self) {
          try FileLock(of: folder.location("file"), on: folder.fileSystem)
        }
        #expect(error?.message.contains("x (process") == false)
        #expect(error?.message.contains("this program itself") == true)
        lock.end()
        #expect(folder.allNames == [])
      }
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
      try FileLock(of: folder.location("file"), on: folder.fileSystem).end()
      #expect(folder.allNames == [])
    }
  }

  // A user removes hidden files. The previous holder must not remove the next holder's lock file.
  @Test(arguments: FolderUnderTest.Kind.allCases)
  func onlyTheOwnFileIsRemoved(_ kind: FolderUnderTest.Kind) throws {
    try FolderUnderTest.with(kind) { folder in
      let location = try folder.location("file")
      let first = try FileLock(of: location, on: folder.fileSystem)
      folder.remove(".file.lock")
      let second = try FileLock(of: location, on: folder.fileSystem)
      first.end()
      #expect(folder.allNames == [".file.lock"])
      #expect(throws: SnapshotError.self) { try FileLock(of: location, on: folder.fileSystem) }
      second.end()
      #expect(folder.allNames == [])
    }
  }

  // A read-only file has a lock that its owner can still open.
  @Test func theLockCanBeOpenedAgain() throws {
    try FolderUnderTest.with(.inMemory) { folder in
      folder["file"] = [1]
      try folder.setMode(0o444, of: "file")
      let lock = try FileLock(of: folder.location("file"), on: folder.fileSystem)
      #expect(try folder.mode(of: ".file.lock") == 0o644)
      lock.end()
    }
  }

  // The text of the file is shown to people, so it is escaped.
  @Test func whatTheHolderWroteIsUntrusted() throws {
    try FolderUnderTest.with(.inMemory) { folder in
      let lock = try FileLock(of: folder.location("file"), on: folder.fileSystem)
      folder[".file.lock"] = nil
      folder[".file.lock"] = Array("SnapshotStore lock: \u{1B}[31mevil\u{202E}\nsecond".utf8)
      let directory = try folder.fileSystem.openDirectory(folder.path)
      let other = try folder.fileSystem.openLockFile(".file.lock", in: directory)
      try folder.fileSystem.lock(other, timeLimit: .zero)
      let error = #expect(throws: SnapshotError.self) {
        try FileLock(of: folder.location("file"), on: folder.fileSystem)
      }
      #expect(error?.message == "\\u{1B}[31mevil\\u{202E} has the file open for writing")
      folder.fileSystem.close(other)
      folder.fileSystem.close(directory)
      lock.end()
    }
  }

  // Long names with the same beginning are different files.
  @Test func longNamesHaveLocksOfTheirOwn() throws {
    let names = ["a", "b"].map { String(repeating: "ü", count: 120) + $0 }
    try FolderUnderTest.with(.real) { folder in
      let locks = try names.map { try FileLock(of: folder.location($0), on: folder.fileSystem) }
      #expect(folder.allNames.count == 2)
      for lock in locks { lock.end() }
    }
    #expect(Set(names.map(SideName.lock)).allSatisfy { $0.utf8.count <= 255 })
  }

  // A waiting process gets the lock when it is free. Many that take turns never hold it together.
  @Test func holdersTakeTurns() throws {
    try FolderUnderTest.with(.real) { folder in
      let location = try folder.location("file")
      onThreads(8) { _ in
        for _ in 0..<25 {
          do {
            let lock = try FileLock(of: location, on: POSIXFileSystem(), waiting: .opening(.seconds(300)))
            // The counter is read and written only under the lock.
            let count = folder["count"].map { Int(String(decoding: $0, as: UTF8.self)) ?? -1_000 } ?? 0
            folder["count"] = Array("\(count + 1)".utf8)
            lock.end()
          } catch {
            Issue.record("\(error)")
          }
        }
      }
      #expect(folder["count"] == Array("200".utf8))
      #expect(folder.allNames == ["count"])
    }
  }

  // Any other file with the name of the lock stays as it is, and the error names it.
  @Test(arguments: FolderUnderTest.Kind.allCases)
  func whatIsNoLockStays(_ kind: FolderUnderTest.Kind) throws {
    let plain = try SnapshotFile.encode(Notebook(), as: .json)
    for bytes in [plain, [1], Array(repeating: UInt8(ascii: "x"), count: 1000), Array(repeating: 0, count: 257)] {
      try FolderUnderTest.with(kind) { folder in
        folder[".a.json.lock"] = bytes
        let error = #expect(throws: SnapshotError.self) {
          try FileLock(of: folder.location("a.json"), on: folder.fileSystem)
        }
        #expect(error?.code == .reservedName)
        #expect(error?.message.contains(".a.json.lock") == true && error?.advice != nil)
        #expect(folder[".a.json.lock"] == bytes)
        #expect(folder.allNames == [".a.json.lock"])
      }
    }
  }

  // A second name of the store's own file is the worst case.
  @Test func aHardLinkIsNoLock() throws {
    try FolderUnderTest.with(.real) { folder in
      let bytes = try SnapshotFile.encode(Notebook(), as: .json)
      folder["n.json"] = bytes
      try FileManager.default.linkItem(atPath: "\(folder.path)/n.json", toPath: "\(folder.path)/.n.json.lock")
      let error = #expect(throws: SnapshotError.self) {
        try FileLock(of: folder.location("n.json"), on: folder.fileSystem)
      }
      #expect(error?.code == .reservedName)
      #expect(folder["n.json"] == bytes && folder[".n.json.lock"] == bytes)
    }
  }

  // A folder, a link, or another user's empty file is no lock either.
  @Test func whatCannotBeALockIsNamed() throws {
    for number in 0..<3 {
      let disk = InMemoryFileSystem(directories: ["/folder"])
      switch number {
      case 0: disk.placeDirectory("/folder/.file.lock")
      case 1: disk.link("/folder/.file.lock", to: "/folder/other")
      default:
        disk["/folder/.file.lock"] = []
        disk.setOwner(501, of: "/folder/.file.lock")
      }
      let location = try FileLocation("/folder/file", on: disk)
      let error = #expect(throws: SnapshotError.self) { try FileLock(of: location, on: disk) }
      #expect(error?.code == .reservedName)
      let words = ["is a directory", "is a symbolic link", "belongs to another user"][number]
      #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
      #expect(disk.openCount == 0)
    }
  }

  // If another program writes into the held lock file, or gives it a further name, it stays.
  @Test(arguments: [true, false])
  func aLockFileThatBecameSomethingElseIsNotRemoved(_ isWritten: Bool) throws {
    try FolderUnderTest.with(.real) { folder in
      let lock = try FileLock(of: folder.location("file"), on: folder.fileSystem)
      if isWritten {
        try Data("mine".utf8).write(to: folder.url(".file.lock"))
      } else {
        try FileManager.default.linkItem(atPath: "\(folder.path)/.file.lock", toPath: "\(folder.path)/copy")
      }
      lock.end()
      #expect(folder.allNames.contains(".file.lock"))
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
            try FileLock(of: location, on: observed).end()
          } catch {
            #expect(error.systemError == errno)
            #expect(error.path == location.path)
          }
          #expect(observed.open == [])
          try FileLock(of: location, on: folder.fileSystem).end()
        }
      }
    }
  }

  /// Only for another holder it makes sense to wait.
  @Test func anErrorIsThrownAtOnce() {
    let error = #expect(throws: SystemError.self) {
      try POSIXFileSystem().lock(OpenFile(number: -1), timeLimit: .seconds(3_600))
    }
    #expect(error?.number == EBADF)
  }
}

extension String {
  /// A line as long as the text of a lock file.
  fileprivate var padded: String { padding(toLength: 255, withPad: " ", startingAt: 0) + "\n" }
}
