import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// A shared store does not repeat work that has no result.
final class SharedQuietTests: Sendable {
  private let test = StoreUnderTest(savesAtOnce: false)
  private let reports = SmallLock<[ExternalChange]>([])

  private func open(
    _ journal: JournalPolicy = .beside(), _ policy: SavePolicy = .manual
  ) throws -> Store<Counters> {
    var options = StoreOptions(policy: policy, access: .shared, journal: journal)
    options.log = { _ in }
    options.onExternalChange = { [weak self] change in self?.reports.withLock { $0.append(change) } }
    let store = try test.open(Counters.self, options)
    test.settle()
    return store
  }

  private func count(_ name: String, in body: () throws -> Void) rethrows -> Int {
    let before = test.fileSystem.calls.count
    try body()
    return test.fileSystem.calls[before...].count { $0.name == name }
  }

  /// Others watch for the closing of the lock file. After a long look it is opened too, so a slow machine needs several
  /// tries.
  @Test func aSaveWakesOthersOnceAndALookNobody() throws {
    let (a, b) = (try open(), try open())
    func openings(in body: () throws -> Void) rethrows -> Int {
      let before = test.fileSystem.calls.count
      try body()
      return test.fileSystem.calls[before...].count { $0.name == "openat" && $0.target == ".store.json.lock" }
    }
    let isQuiet = try (1...20).contains { value in
      let (writer, reader) = value.isMultiple(of: 2) ? (b, a) : (a, b)
      try writer.write { try $0.set(1, to: value) }
      let saves = openings {
        writer.saver?.flush(through: writer.revision, folding: false) { _ in }
        test.runSaves()
      }
      #expect(saves >= 1 && reader.read { $0.left.map(\.value) } != [value])
      let looks = openings {
        reader.lookSoon()
        test.settle()
      }
      #expect(reader.read { $0.left.map(\.value) } == [value])
      // From the second time on, the reader has saved before.
      return looks == 0 && value > 1
    }
    #expect(isQuiet)
  }

  /// To find out whether a copy is there already, its size is enough in most cases.
  @Test func earlierCopiesOfAnotherSizeAreNotRead() throws {
    let store = try open()
    try store.write { for id in 1...50 { try $0.set(id, to: id) } }
    try test.save(store, folding: true)
    for number in 0..<20 {
      test.fileSystem["/dir/store.conflict-2025-01-01T00.00.\(number).json"] = [UInt8](repeating: 32, count: 900)
    }
    try store.write { try $0.set(1, to: 1_000) }
    var theirs: Counters = try test.stored()
    try theirs.set(1, to: 2_000)
    test.bytes = try SnapshotFile.encode(theirs, as: .json)
    let before = test.fileSystem.calls.count
    store.lookSoon()
    test.settle()
    let copies = test.paths.filter { $0.contains("conflict-2026") }
    #expect(copies.count == 1)
    let opened = test.fileSystem.calls[before...].filter {
      $0.name == "openat" && $0.target.contains("conflict-2025")
    }
    #expect(opened.isEmpty)
    #expect(store.snapshot().value.allViolations() == [])
  }

  /// Others watch for the closing of a lock file. Without another descriptor for it, the open one is closed.
  @Test func aProcessWithoutAFreeDescriptorWakesOthersToo() throws {
    let (a, b) = (try open(), try open())
    try a.write { try $0.set(1, to: 1) }
    try test.save(a)
    let before = test.fileSystem.openCount
    test.fileSystem.injectFault { $0.name == "openat" && $0.target == ".store.json.lock" ? EMFILE : nil }
    try a.write { try $0.set(2, to: 2) }
    a.saver?.flush(through: a.revision, folding: false) { _ in }
    test.runSaves()
    // The lock file and its folder.
    #expect(test.fileSystem.openCount == before - 2)
    test.fileSystem.injectFault(nil)
    test.settle()
    #expect(b.read { $0.left.map(\.value) } == [1, 2])
    try a.write { try $0.set(3, to: 3) }
    try test.save(a)
    #expect(b.read { $0.left.map(\.value) } == [1, 2, 3])
    #expect(test.fileSystem.openCount == before)
  }

  /// Each look keeps the others waiting for the lock.
  @Test func aLookTakesInSeveralSavesThatFollowEachOther() throws {
    let (a, b) = (try open(), try open())
    func save(_ value: Int) throws {
      try a.write { try $0.set(1, to: value) }
      a.saver?.flush(through: a.revision, folding: false) { _ in }
      test.runSaves()
      // A watch calls this.
      b.lookIfNews()
      test.runSaves()
    }
    func seen() -> [Int] { b.read { $0.left.map(\.value) } }
    test.settle()
    test.scheduler.advance(by: .seconds(1))
    try save(1)
    #expect(seen() == [1])
    for value in 2...4 { try save(value) }
    #expect(seen() == [1])
    // The end of the process waits for such a look.
    let isBusy = SmallLock<[Bool?]>([])
    test.fileSystem.injectEvent { [weak b] call in
      if call.name == "flock" { isBusy.withLock { $0.append(b?.saver?.turn.isInUse) } }
      return nil
    }
    test.scheduler.advance(by: .milliseconds(4))
    test.runSaves()
    #expect(seen() == [4])
    #expect(isBusy.withLock { $0 } == [true])
  }

  /// A process was killed behind the line that announces its file, and before the rename.
  @Test func anAnnouncementOfAKilledProcessIsNoNews() throws {
    let (a, b) = (try open(), try open())
    try a.write { try $0.set(1, to: 1) }
    try test.save(a)
    test.fileSystem.overwrite("/dir/.store.json.lock") { bytes in
      let line = String(decoding: bytes[LockText.length..<2 * LockText.length], as: UTF8.self)
      let announced = line.replacing(" next - ", with: " next 77 10 123456 ").trimmingCharacters(in: .whitespaces)
      bytes.replaceSubrange(
        LockText.length..<2 * LockText.length,
        with: LockText.line(announced.trimmingCharacters(in: .whitespacesAndNewlines)))
    }
    for store in [a, b] { store.lookSoon() }
    #expect(count("flock") { test.settle() } == 0)
    try b.write { try $0.set(2, to: 2) }
    try test.save(b)
    #expect(a.read { $0.left.map(\.value) } == [1, 2])
  }

  /// Another program has written a file that cannot be read.
  @Test func anUnreadableFileIsToldOnceAndReadSeldom() throws {
    let a = try open(.none)
    try a.write { try $0.set(1, to: 1) }
    try test.save(a)
    test.bytes = Array("{".utf8)
    let reads = count("flock") { for _ in 0..<20 { test.settle() } }
    // A minute: after 2, 4, 8, 16 seconds, and every 16 from there.
    #expect((3...8).contains(reads), "\(reads)")
    let told = reports.withLock { $0 }
    guard case .unreadable? = told.first, told.count == 1 else {
      Issue.record("\(told)")
      return
    }
    test.bytes = try SnapshotFile.encode(a.read { $0 }, as: .json)
    for _ in 0..<6 { test.settle() }
    try a.write { try $0.set(2, to: 2) }
    try test.save(a)
    #expect(try test.stored().left.map(\.value) == [1, 2])
  }

  /// A transaction takes long, while others save what conflicts with a change here.
  @Test func aConflictIsKeptOnceBesideALongTransaction() throws {
    let (a, b) = (try open(), try open())
    try a.write { try $0.set(1, to: 1) }
    try test.save(a)
    try b.write { try $0.set(1, to: 3) }
    let (begun, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      try? b.write { counters in
        begun.signal()
        ended.wait()
        try counters.set(2, to: 2)
      }
      done.signal()
    }
    begun.wait()
    try a.write { try $0.set(1, to: 2) }
    try test.save(a)
    for _ in 0..<3 { test.settle() }
    #expect(test.paths.count { $0.contains(".conflict-") } == 1)
    ended.signal()
    done.wait()
    test.settle()
    #expect(b.read { $0.left.map(\.value) } == [3, 2])
    #expect(test.paths.count { $0.contains(".conflict-") } == 1)
    try test.save(b)
    #expect(a.read { $0.left.map(\.value) } == [3, 2])
  }

  /// All have the same quiet time. The first fold leaves the others nothing to do.
  @Test func oneOfSeveralFoldsInAQuietTime() throws {
    let stores = try (0..<3).map { _ in try open(.beside(quietTime: .seconds(30)), .automatic()) }
    for (index, store) in stores.enumerated() { try store.write { try $0.set(index, to: index) } }
    for _ in 0..<3 { test.settle() }
    try #require(test.journal != nil)
    let before = test.fileSystem.calls.count
    let files = count("renameat") {
      for _ in 0..<20 { test.settle() }
    }
    let read = test.fileSystem.calls[before...].count { $0.name == "read" }
    #expect(test.changes == 0)
    // The file, and the journal on it.
    #expect(files == 2)
    #expect(stores.allSatisfy { $0.read { $0.left.count } == 3 && !$0.status.isDirty })
    // The others have followed it by the journal, and have not compared their value with the file.
    #expect(read == 2)
  }

  @Test func aStoreWithoutAJournalLeavesThatOfOthers() throws {
    let (a, b) = (try open(.beside(), .automatic()), try open(.none, .automatic()))
    try a.write { try $0.set(1, to: 1) }
    for _ in 0..<5 { test.settle() }
    #expect(test.journal != nil)
    #expect(b.read { $0.left.count } == 1)
    for _ in 0..<30 { test.settle() }
    #expect(test.changes == 0)
  }

  /// The process that has made the journal was killed before it synced the folder. So the name may be gone after a
  /// power cut, with the lines of others.
  @Test func aJournalThatNobodyHasNotedIsMadeAnew() throws {
    let (a, b) = (try open(), try open())
    try a.write { try $0.set(1, to: 1) }
    let line = test.fileSystem["/dir/.store.json.lock"]?[LockText.length..<2 * LockText.length]
    test.suspend(b)
    try test.save(a)
    test.fileSystem.overwrite("/dir/.store.json.lock") { bytes in
      if let line { bytes.replaceSubrange(LockText.length..<2 * LockText.length, with: line) }
    }
    test.suspend(a)
    b.resume()
    try b.write { try $0.set(2, to: 2) }
    let syncs = try count("fsync") { try test.save(b) }
    // The folder. The lines are written once more.
    #expect(syncs >= 1)
    a.resume()
    test.settle()
    #expect(a.read { $0.left.map(\.value) } == [1, 2])
  }

  /// The thread that frees a store does not wait for the lock.
  @Test func theDeallocationLeavesTheWorkToTheSaver() throws {
    var store: Store<Counters>? = try open()
    try store.map { store in
      try store.write { try $0.set(1, to: 1) }
      try test.save(store)
    }
    #expect(count("renameat") { store = nil } == 0)
    test.runSaves()
    #expect(test.journal == nil && test.fileSystem.openCount == 0)
    #expect(try test.stored().left.map(\.value) == [1])
  }

  /// A lock file that cannot be written is removed, so it never says what was read.
  @Test func aLockFileThatCannotBeWrittenGivesFewLooks() throws {
    let a = try open()
    try a.write { try $0.set(1, to: 1) }
    try test.save(a)
    test.fileSystem.overwrite("/dir/.store.json.lock") { $0 = [] }
    test.fileSystem.injectFault { $0.name == "pwrite" ? ENOSPC : nil }
    let looks = count("flock") {
      for _ in 0..<10 {
        a.lookSoon()
        for _ in 0..<5 { test.settle() }
      }
    }
    // One each half second, of 150.
    #expect(looks < 700, "\(looks)")
    test.fileSystem.injectFault { _ in nil }
    try a.write { try $0.set(2, to: 2) }
    try test.save(a)
    #expect(a.read { $0.left.map(\.value) } == [1, 2])
  }
}
