import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// The lock file tells which stores have a file open, and names no other.
struct FileUserTests {
  private let test = StoreUnderTest()
  private let own = ProcessInfo.processInfo.processIdentifier

  private func open(_ access: StoreAccess) throws -> Store<Counters> {
    try test.open(Counters.self, StoreOptions(policy: .manual, access: access, journal: .beside(), log: { _ in }))
  }

  private func users() throws -> [FileUser.Access] {
    let users = try SnapshotFile.users(of: test.path, on: test.fileSystem)
    #expect(users.allSatisfy { $0.process == own && !$0.name.isEmpty && abs($0.since.timeIntervalSinceNow) < 600 })
    return users.map(\.access)
  }

  @Test func eachAccessIsListed() throws {
    #expect(try users() == [])
    let alone = try open(.exclusive)
    #expect(try users() == [.exclusive])
    // It opens behind the other one, without the lock.
    let a = try open(.shared)
    #expect(try users() == [.exclusive, .shared])
    try alone.closeAndWait()
    #expect(try users() == [.shared])
    try a.write { try $0.set(1, to: 1) }
    try a.flushAndWait()
    let b = try open(.shared)
    #expect(try users() == [.shared, .shared])
    try a.closeAndWait()
    #expect(try users() == [.shared])
    try b.closeAndWait()
    #expect(try users() == [] && test.fileSystem["/dir/.store.json.lock"] == nil)
  }

  /// Two stores are opened beside the holder at the same time: one enters when the other has read the list.
  @Test(arguments: 0...2) func eachOfTwoThatEnterHasItsOwnLine(holders: Int) throws {
    let alone = try open(.exclusive)
    let before = try (0..<holders).map { _ in try open(.shared) }
    let fileSystem = test.fileSystem
    let other = Mutex<Store<Counters>?>(nil)
    let isOpen = CancellationFlag()
    // A line that another one frees is not taken without the lock.
    try before.first?.closeAndWait()
    fileSystem.injectFault { call in
      guard call.name == "write", !isOpen.isSet else { return nil }
      isOpen.set()
      let store = try? open(.shared)
      other.withLock { $0 = store }
      return nil
    }
    let a = try open(.shared)
    fileSystem.injectFault(nil)
    let b = try #require(other.withLock { $0 })
    let listed = max(0, holders - 1)
    #expect(try users() == [.exclusive] + Array(repeating: .shared, count: listed + 2))
    try b.closeAndWait()
    #expect(try users() == [.exclusive] + Array(repeating: .shared, count: listed + 1))
    for store in [a, alone] + before { try store.closeAndWait() }
    #expect(try users() == [])
  }

  /// Its holder could not write it: the disk was full.
  @Test(arguments: [0, 100, 256, 500]) func aShortLockFileHasAPlaceForLines(_ count: Int) throws {
    let alone = try open(.exclusive)
    test.fileSystem.overwrite("/dir/.store.json.lock") { $0 = Array($0.prefix(count)) }
    let (a, b) = (try open(.shared), try open(.shared))
    let lock = test.fileSystem["/dir/.store.json.lock"] ?? []
    #expect(lock.count == 4 * LockText.length && LockText.content(of: lock) != .other)
    for store in [a, b, alone] { try store.closeAndWait() }
    #expect(test.fileSystem["/dir/.store.json.lock"] == nil)
  }

  /// A program that is opened again and again beside the holder leaves a free line each time.
  @Test func freeLinesAreTakenWhenThereIsNoMorePlace() throws {
    let alone = try open(.exclusive)
    test.fileSystem.overwrite("/dir/.store.json.lock") { bytes in
      bytes = Array(bytes.prefix(LockText.length)) + LockText.line(JournalEnd.mark + "-")
      bytes += Array(repeating: UInt8(ascii: " "), count: 4_096 * LockText.length)
    }
    for count in 1...2 {
      let store = try open(.shared)
      #expect(try users() == [.exclusive, .shared])
      #expect(test.fileSystem["/dir/.store.json.lock"]?.count == 4_098 * LockText.length, "\(count)")
      try store.closeAndWait()
    }
    try alone.closeAndWait()
  }

  /// Two stores of this process had the first and the second line of a lock file that is gone.
  @Test func eachStoreHasItsOwnLineInANewLockFile() throws {
    let (a, b) = (try open(.shared), try open(.shared))
    test.fileSystem["/dir/.store.json.lock"] = nil
    for store in [b, a] {
      try store.write { try $0.set(1, to: 1) }
      try store.flushAndWait()
    }
    #expect(try users() == [.shared, .shared])
    for store in [a, b] { try store.closeAndWait() }
  }

  /// The system gives each of those that append at the same time a place of its own.
  @Test func eachAppendedLineHasAPlace() throws {
    try FolderUnderTest.with(.real) { folder in
      let location = try folder.location("file")
      let lock = try FileLock(of: location, on: folder.fileSystem)
      let slots = Mutex<[Int]>([])
      DispatchQueue.concurrentPerform(iterations: 40) { _ in
        guard let directory = try? folder.fileSystem.openDirectory(location.directory) else { return }
        defer { folder.fileSystem.close(directory) }
        guard let file = try? folder.fileSystem.openLockFile(".file.lock", in: directory) else { return }
        defer { folder.fileSystem.close(file) }
        guard let slot = LockUsers.enter(file, on: folder.fileSystem, hasLock: false) else { return }
        slots.withLock { $0.append(slot) }
      }
      #expect(slots.withLock { $0.sorted() } == Array(0..<40))
      #expect(folder[".file.lock"]?.count == 42 * LockText.length)
      lock.end()
    }
  }

  @Test func aStoreThatSavesIsNamed() throws {
    let store = try open(.shared)
    let saver = try #require(store.saver)
    try saver.inTurn {
      try saver.file.session.take(waiting: LockPatience(holder: .zero, saver: .zero))
      #expect(try users() == [.save, .shared])
      saver.file.session.releaseLock()
    }
    #expect(try users() == [.shared])
    try store.closeAndWait()
  }

  /// A lock file that stayed behind, as that of a killed program does, names nobody. The process may even run again.
  @Test func whatStayedBehindNamesNobody() throws {
    let store = try open(.exclusive)
    let text = test.fileSystem["/dir/.store.json.lock"]
    try store.closeAndWait()
    test.fileSystem["/dir/.store.json.lock"] = text
    #expect(try users() == [])
    test.fileSystem["/dir/.store.json.lock"] = Array("a note of mine".utf8)
    #expect(try users() == [])
  }

  @Test func theFirstOpeningOfASharedStoreIsNotExclusive() throws {
    let store = try open(.shared)
    let lock = String(decoding: test.fileSystem["/dir/.store.json.lock"] ?? [], as: UTF8.self)
    #expect(!lock.prefix(LockText.length).contains("(process"), "nobody has the lock now")
    #expect(lock.contains("Z, shared "))
    try store.closeAndWait()
  }

  /// When an exclusive store is closed beside shared ones, the first line stays. It must not name that store.
  @Test func aClosedStoreLeavesItsLine() throws {
    let alone = try open(.exclusive)
    test.fileSystem.overwrite("/dir/.store.json.lock") { bytes in
      bytes += Array(repeating: 0, count: LockText.length)
      bytes += LockText.line("Open: app (process \(own)) since 2026-11-24T07:40:00Z, shared")
    }
    try alone.closeAndWait()
    let bytes = test.fileSystem["/dir/.store.json.lock"] ?? []
    #expect(LockText.content(of: bytes) == .text && LockText.holder(in: bytes) == nil)
    #expect(try SnapshotFile.users(of: test.path, on: test.fileSystem).map(\.name) == ["app"])
  }

  @Test func spaceAroundAHolderIsLeftOut() {
    for text in ["app", "\tapp\t", "  app", "\u{A0}app\u{200B}\t "] {
      #expect(LockText.holder(in: LockText.line("SnapshotStore lock: \(text)")) == "app")
    }
    #expect(LockText.holder(in: LockText.line("SnapshotStore lock: \t")) == nil)
  }

  @Test func nothingIsLockedOrMade() throws {
    let store = try open(.shared)
    let before = test.fileSystem.calls.count
    #expect(try users() == [.shared])
    let calls = Set(test.fileSystem.calls[before...].map(\.name))
    #expect(calls.isDisjoint(with: ["flock", "funlock", "create", "write", "pwrite", "unlink"]), "\(calls)")
    try store.closeAndWait()
  }

  /// The system is asked for the lock of the machine, which stays where it is.
  @Test func theMachineTellsOfItsLocks() throws {
    try FolderUnderTest.with(.real) { folder in
      let location = try folder.location("file")
      let lock = try FileLock(of: location, on: folder.fileSystem)
      let text = folder[".file.lock"] ?? []
      let path = location.path
      #expect(try SnapshotFile.users(of: URL(fileURLWithPath: path)).map(\.access) == [.exclusive])
      lock.release()
      // As if the process had been killed.
      folder[".file.lock"] = text
      #expect(try SnapshotFile.users(of: URL(fileURLWithPath: path)).map(\.access) == [])
      lock.end()
      let shared = try FileLock(of: location, on: folder.fileSystem, .forASave)
      #expect(try SnapshotFile.users(of: URL(fileURLWithPath: path)).map(\.access) == [.save])
      shared.end()
      #expect(folder.allNames == [])
      #expect(try SnapshotFile.users(of: URL(fileURLWithPath: path)) == [])
      #expect(throws: SnapshotError.self) { try SnapshotFile.users(of: URL(fileURLWithPath: path + "/none/x")) }
    }
  }

  @Test func aLine() throws {
    let line = "a (process 1) since 2026-11-24T07:40:00Z, shared (process 42) since 2026-11-24T07:40:01Z"
    let user = try #require(FileUser(line: line))
    #expect(user.name == "a (process 1) since 2026-11-24T07:40:00Z, shared")
    #expect(user.process == 42 && user.access == .exclusive)
    #expect(FileUser(line: "a (process 1) since 2026-11-24T07:40:00Z, shared")?.access == .shared)
    #expect(FileUser(line: "a (process 1) since 2026-11-24T07:40:00Z, for a save")?.access == .save)
    for bad in ["", "a", "a (process 1)", "a (process 1) since x", "a (process -1) since 2026-11-24T07:40:00Z"] {
      #expect(FileUser(line: bad) == nil)
    }
  }

  #if os(Linux)
    @Test func theTableOfTheKernel() {
      let table = """
        1: FLOCK  ADVISORY  WRITE 709 00:13:9564 0 EOF
        2: POSIX  ADVISORY  WRITE 709 00:13:1 0 EOF
        2: -> FLOCK  ADVISORY  WRITE 710 00:13:2 0 EOF
        3: FLOCK  ADVISORY  READ 709 00:13:3 0 EOF
        4: FLOCK
        """
      #expect([9564, 1, 2, 3, 564].map { LockTable.has($0, table) } == [true, false, false, false, false])
    }
  #endif

  /// With the lock file, someone has removed the lines in it.
  @Test func aStoreIsListedAgainInANewLockFile() throws {
    let location = try FileLocation(test.path, on: test.fileSystem)
    let patience = LockPatience(holder: .zero, saver: .zero)
    let lock = try FileLock(of: location, on: test.fileSystem, waiting: patience, .forASave)
    func takeAgain() throws {
      lock.release()
      test.fileSystem["/dir/.store.json.lock"] = nil
      try lock.take(waiting: patience)
    }
    try takeAgain()
    #expect(try users() == [.save])
    lock.enter()
    try takeAgain()
    #expect(try users() == [.save, .shared])
    lock.end()
    #expect(test.fileSystem["/dir/.store.json.lock"] == nil && test.fileSystem.openCount == 0)
  }
}
