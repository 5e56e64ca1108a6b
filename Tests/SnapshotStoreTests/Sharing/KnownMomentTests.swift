import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// What a store takes for a moment of the file that others go on from, although a call has failed.
final class KnownMomentTests: Sendable {
  let test = StoreUnderTest()
  /// The beginning of the name of the next call that fails.
  let failing = SmallLock("")
  /// What the stores have reported.
  let reports = SmallLock<[String]>([])

  func open(
    _ access: StoreAccess = .shared, _ journal: JournalPolicy = .beside(), recovery: Recovery = .none,
    _ externalChanges: ExternalChange.Policy = .merge
  ) throws -> Store<Counters> {
    var options = StoreOptions(
      policy: .manual, access: access, journal: journal, recovery: recovery, externalChanges: externalChanges)
    options.log = { _ in }
    options.onExternalChange = { [self] change in note(change) }
    let disk = ObservedFileSystem(test.fileSystem) { [weak self] _, call in self?.fails(call) == true ? EIO : nil }
    return try Store<Counters>.open(
      at: URL(fileURLWithPath: test.path), options: options, fileSystem: disk, scheduler: test.scheduler)
  }

  func note(_ change: ExternalChange) {
    let text = "\(change)"
    reports.withLock { $0.append(text) }
  }

  func fails(_ call: String) -> Bool {
    failing.withLock { failing in
      guard !failing.isEmpty, call.hasPrefix(failing) else { return false }
      failing = ""
      return true
    }
  }

  func look(_ store: Store<Counters>) {
    test.scheduler.advance(by: .seconds(30))
    store.checkFileAndWait()
  }

  func set(_ id: Int, to value: Int = 1, folding: Bool = false, _ store: Store<Counters>) throws {
    try store.write { try $0.set(id, to: value) }
    try store.flushAndWait(folding: folding)
  }

  func fail(_ call: String, _ work: () throws -> Void) {
    failing.withLock { $0 = call }
    #expect(throws: SnapshotError.self, performing: work)
    #expect(failing.withLock { $0 } == "", "nothing has failed")
  }

  func ids(_ store: Store<Counters>) -> [Int] { store.read { $0.left.map(\.id) } }
  var journal: String { "/dir/.store.json.journal" }

  /// The disk is full behind the rename of the first fold that is shared, so no journal can be made on the new file.
  /// The one on the old file has the mark.
  @Test func theFirstFoldOnAFullDiskIsFollowed() throws {
    try open(.exclusive, .none).closeAndWait()
    let (a, b) = (try open(), try open())
    try a.write { try $0.set(1, to: 1) }
    try b.write { try $0.set(2, to: 2) }
    let isFull = SmallLock(false)
    test.fileSystem.injectFault { call in
      isFull.withLock { isFull in
        isFull = isFull || call.name == "renameat" && call.target == "store.json"
        return isFull && ["create", "write", "pwrite"].contains(call.name) ? ENOSPC : nil
      }
    }
    try a.flushAndWait(folding: true)
    #expect(isFull.withLock { $0 })
    test.fileSystem.injectFault(nil)
    try a.write { _ = $0.left.remove(1) }
    try b.flushAndWait()
    look(a)
    for store in [a, b] { #expect(ids(store) == (store === a ? [2] : [1, 2])) }
    try a.flushAndWait()
    look(b)
    #expect(ids(b) == [2])
    #expect(reports.withLock { $0.allSatisfy { !$0.contains("merged") } }, "\(reports.withLock { $0 })")
  }

  /// A store that is opened beside the holder of the lock reads a line whose sync has failed. It never counts.
  @Test(arguments: [false, true]) func aLineWhoseSaveHasFailedIsNotRead(_ isMark: Bool) throws {
    let a = try open(.exclusive)
    try set(1, folding: true, a)
    try set(2, a)
    try a.write { try $0.set(3, to: 3) }
    fail("fdatasync") { try a.flushAndWait(folding: isMark) }
    let b = try open()
    #expect(ids(b) == [1, 2])
    try a.write { counters in
      _ = counters.left.remove([2, 3])
      try counters.set(4, to: 4)
    }
    try a.flushAndWait()
    try a.closeAndWait()
    look(b)
    #expect(ids(b) == [1, 4])
    try set(5, b)
    #expect(ids(try open()) == [1, 4, 5])
  }

  /// The line is acknowledged a moment later. Then it has to be seen.
  @Test func aLineThatIsBeingSavedIsReadLater() throws {
    let a = try open(.exclusive)
    try set(1, folding: true, a)
    try set(2, a)
    let lock = try #require(test.fileSystem["/dir/.store.json.lock"])
    try set(3, a)
    let noted = try #require(test.fileSystem["/dir/.store.json.lock"])
    test.fileSystem.overwrite("/dir/.store.json.lock") { $0 = lock }
    let b = try open()
    #expect(ids(b) == [1, 2])
    test.fileSystem.overwrite("/dir/.store.json.lock") { $0 = noted }
    try a.closeAndWait()
    look(b)
    #expect(ids(b) == [1, 2, 3])
  }

  /// The mark of a fold may be on the disk although its sync has failed. It names a file that is in place already.
  @Test(arguments: ["fdatasync", "renameat", "fsync"]) func theOwnMarkOfAFoldThatFailed(_ call: String) throws {
    let (a, b) = (try open(), try open())
    try set(1, folding: true, a)
    try set(5, a)
    try a.write { _ = $0.left.remove(5) }
    fail(call) { try a.flushAndWait(folding: true) }
    try a.write { try $0.set(5, to: 1) }
    // The look before the save fails, too.
    failing.withLock { $0 = "pwrite journal" }
    try? a.flushAndWait()
    failing.withLock { $0 = "" }
    try set(6, b)
    try a.flushAndWait()
    look(a)
    look(b)
    for store in [a, b] { #expect(ids(store) == [1, 5, 6]) }
  }

  /// The mark is on the disk, and only the rename has failed. Another store folds behind it.
  @Test func theOwnMarkBeforeTheFoldOfAnother() throws {
    let (a, b) = (try open(), try open())
    try set(5, a)
    try a.write { _ = $0.left.remove(5) }
    fail("renameat") { try a.flushAndWait(folding: true) }
    try a.write { try $0.set(5, to: 1) }
    try set(6, folding: true, b)
    look(a)
    #expect(ids(a) == [5, 6])
    try a.flushAndWait()
    #expect(ids(try open()) == [5, 6])
  }

  /// The file that was not put in place is made by another store later.
  @Test(arguments: [JournalPolicy.none, .beside()]) func aFoldThatFailedIsNoBase(_ journal: JournalPolicy) throws {
    let (a, b) = (try open(.shared, journal), try open(.shared, journal))
    try set(1, to: 1, folding: true, a)
    look(b)
    try a.write { try $0.set(1, to: 2) }
    fail("renameat") { try a.flushAndWait(folding: true) }
    try a.write { try $0.set(1, to: 1) }
    try set(1, to: 2, folding: true, b)
    try a.flushAndWait()
    look(b)
    for store in [a, b] { #expect(store.read { $0.left[1]?.value } == 2) }
  }

  /// A backup by second names has the identity and the date of the file.
  @Test func aSecondNameOfTheFileIsPutBack() throws {
    let (a, b) = (try open(), try open())
    for id in 1...3 { try set(id, folding: true, a) }
    try set(4, a)
    look(b)
    let disk = test.fileSystem
    let folder = try disk.openDirectory("/dir")
    let names = ["store.json", ".store.json.journal"]
    for name in names { try disk.link(name, in: folder, to: "old \(name)", in: folder) }
    for id in 5...8 { try set(id, folding: true, b) }
    try set(9, b)
    try b.suspendAndWait()
    try a.suspendAndWait()
    for name in names { try disk.rename("old \(name)", to: name, in: folder) }
    let c = try open()
    for id in 20...30 { try set(id, folding: true, c) }
    b.resume()
    look(b)
    try b.flushAndWait()
    look(c)
    for store in [b, c] { #expect(ids(store) == Array(1...9) + Array(20...30)) }
  }

  /// The flag is in memory only while the lock file is open.
  @Test func aStoreThatHasSleptStillKnowsThatUsersAreLost() throws {
    let (a, b) = (try open(), try open())
    for id in 1...3 { try set(id, folding: true, a) }
    look(b)
    try b.suspendAndWait()
    test.fileSystem["/dir/.store.json.lock"] = nil
    try set(4, a)
    try a.suspendAndWait()
    a.resume()
    try a.write { _ = $0.left.remove(2) }
    try a.closeAndWait()
    #expect(test.fileSystem[journal] != nil)
    let c = try open()
    for id in 5...6 { try set(id, folding: true, c) }
    b.resume()
    look(b)
    #expect(ids(b) == [1, 3, 4, 5, 6])
  }

  /// It could not write its line in the lock file. So the last one that closes the file does not know of it.
  @Test func aStoreThatIsNotListedTakesInWhatOthersHaveSaved() throws {
    let a = try open(.exclusive)
    try set(1, folding: true, a)
    try set(2, a)
    failing.withLock { $0 = "write lock" }
    let b = try open()
    #expect(ids(b) == [1, 2])
    try a.write { counters in
      _ = counters.left.remove(1)
      try counters.set(3, to: 3)
    }
    try b.write { try $0.set(4, to: 4) }
    try a.closeAndWait()
    #expect(test.fileSystem[journal] == nil)
    look(b)
    #expect(ids(b) == [2, 3, 4])
  }

  /// All that is hidden is lost. What this store has read stays.
  @Test(arguments: [false, true]) func hiddenFilesThatAreLostTakeNothingBack(_ isLater: Bool) throws {
    let a = try open()
    try set(1, folding: true, a)
    test.fileSystem["/dir/.store.json.lock"] = nil
    if !isLater { test.fileSystem[journal] = nil }
    for id in 2...3 { try set(id, a) }
    if !isLater { test.fileSystem["/dir/.store.json.lock"] = nil }
    test.fileSystem[journal] = nil
    try set(4, a)
    #expect(ids(a) == [1, 2, 3, 4])
  }

  @Test func aKnownVersionIsPutBackWhileTheLockFileIsLost() throws {
    let a = try open()
    try set(1, folding: true, a)
    let old = test.bytes
    for id in 2...3 { try set(id, folding: true, a) }
    for path in ["/dir/.store.json.lock", journal] { test.fileSystem[path] = nil }
    test.bytes = old
    try set(4, a)
    #expect(ids(a) == [1, 2, 3, 4])
  }

  /// The journal could be read, and only the fold has failed. So the new one has its end.
  @Test func aReplacementAfterAFoldThatFailedKeepsThePast() throws {
    let b = try open()
    try set(1, folding: true, b)
    let old = try #require(test.bytes)
    try set(2, folding: true, b)
    try set(3, b)
    let disk = ObservedFileSystem(test.fileSystem) { [weak self] _, call in self?.fails(call) == true ? EIO : nil }
    let session = try FileSession(at: test.path, on: disk, lockTimeLimit: .zero)
    failing.withLock { $0 = "renameat" }
    try session.settlingJournal(ReadLimits(), date: .now) { () throws(SnapshotError) in
      try session.replace(with: PiecedBytes(old), expecting: .anything).requireDurable()
    }
    session.close()
    #expect(test.fileSystem[journal] != nil)
    look(b)
    #expect(ids(b) == [1])
  }
}
