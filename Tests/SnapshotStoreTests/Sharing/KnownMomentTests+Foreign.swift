import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// A program without the library replaces the file that stores share.
extension KnownMomentTests {
  private final class Reopened: Sendable { let store = SmallLock<Store<Counters>?>(nil) }

  /// Another program adds a record to the file, and does not know its journal.
  private func replaceFile(adding id: Int) throws {
    var theirs: Counters = try test.stored()
    try theirs.set(id, to: id)
    test.bytes = try SnapshotFile.encode(theirs, as: .json)
  }

  /// A store is opened while another one merges the file of a foreign program with the journal. It merges both too,
  /// and what it removes then stays removed.
  @Test(arguments: 1...48) func aStoreIsOpenedDuringAMerge(_ call: Int) throws {
    let a = try open()
    let calls = SmallLock(0)
    let reopened = Reopened()
    let disk = ObservedFileSystem(test.fileSystem) { [self] _, _ in
      let isDue = calls.withLock { calls in
        calls -= 1
        return calls == 0
      }
      if isDue {
        let store = try? open()
        reopened.store.withLock { $0 = store }
      }
      return nil
    }
    var options = StoreOptions(policy: .manual, access: .shared, journal: .beside(), externalChanges: .merge)
    options.log = { _ in }
    let b = try Store<Counters>.open(
      at: URL(fileURLWithPath: test.path), options: options, fileSystem: disk, scheduler: test.scheduler)
    try set(1, a)
    try replaceFile(adding: 3)
    try b.write { try $0.set(2, to: 2) }
    calls.withLock { $0 = call }
    try b.flushAndWait()
    let c = try reopened.store.withLock { $0 } ?? open()
    try c.write { _ = $0.left.remove(1) }
    try c.flushAndWait()
    look(b)
    look(a)
    for store in [a, b, c] { #expect(ids(store) == [2, 3]) }
  }

  /// Another program replaces the file, beside a line that this store has not read yet. The line was made from what
  /// this store knows, and what it removes is no conflict.
  @Test func whatOthersSavedBeforeAForeignFileIsTakenFirst() throws {
    let (a, b) = (try open(), try open())
    try set(1, a)
    look(b)
    try a.write { _ = $0.left.remove(1) }
    try a.flushAndWait()
    try replaceFile(adding: 3)
    try set(2, b)
    look(a)
    for store in [a, b] { #expect(ids(store) == [2, 3]) }
    #expect(reports.withLock { $0.allSatisfy { !$0.contains("left 1") } })
  }

  /// A store that was opened on the file of another program has saved. One that finds both at once knows that moment
  /// too, and makes its saves from it, however many. What the first one removes meanwhile stays removed.
  @Test(arguments: [1, 2, 40]) func aForeignFileIsFoundWithTheJournalOnIt(_ folds: Int) throws {
    let a = try open()
    try replaceFile(adding: 3)
    let b = try open()
    try set(1, b)
    try b.write { _ = $0.left.remove(1) }
    for number in 1...folds {
      try a.write { try $0.set(2, to: number) }
      try a.flushAndWait(folding: true)
    }
    look(b)
    try b.flushAndWait()
    look(a)
    for store in [a, b] { #expect(ids(store) == [2, 3]) }
    #expect(reports.withLock { $0.allSatisfy { !$0.contains("left 1") } })
  }

  /// A store that keeps its own value has not taken in what it finds with the foreign file. The one that has saved that
  /// keeps it.
  @Test(arguments: [false, true]) func aStoreThatKeepsItsOwnIsNotMadeFromTheOthers(isInFile: Bool) throws {
    let a = try open(.shared, .beside(), recovery: .none, .keepOurs)
    try replaceFile(adding: 3)
    let b = try open()
    try set(9, folding: isInFile, b)
    try set(2, folding: true, a)
    look(b)
    #expect(ids(b).contains(9))
    try b.flushAndWait()
    look(a)
    #expect(ids(a).contains(9))
  }

  /// A store that has the file alone is opened beside one that shares it, and merges both with a foreign file.
  @Test func aMergeAtOpeningIsToldBesideOthers() throws {
    let a = try open()
    try set(1, a)
    try a.suspendAndWait(flushing: true)
    try replaceFile(adding: 3)
    let b = try open(.exclusive)
    #expect(ids(b) == [1, 3])
    #expect(b.openReport?.journal?.kept.isEmpty == false)
    try b.closeAndWait()
    a.resume()
    look(a)
    #expect(ids(a) == [1, 3])
  }

  /// The same if the other program removes the file.
  @Test func whatOthersSavedBeforeTheFileIsRemovedIsTakenFirst() throws {
    let (a, b) = (try open(), try open())
    try set(1, a)
    look(b)
    try set(2, b)
    try b.write { _ = $0.left.remove(1) }
    try b.flushAndWait()
    test.bytes = nil
    try set(3, a)
    look(b)
    for store in [a, b] { #expect(ids(store) == [2, 3]) }
  }

  /// A fold has put the file in place, and its name could not be made durable. What this store removes then stays
  /// removed, although another program replaces what a peer has made of the file.
  @Test func aFoldWithoutADurableNameIsTheNewestVersion() throws {
    let (a, b) = (try open(), try open())
    try a.write { try $0.set(1, to: 1) }
    let last = SmallLock("")
    test.fileSystem.injectFault { call in
      last.withLock { last in
        defer { last = call.name }
        return last == "renameat" && call.name == "fsync" ? EIO : nil
      }
    }
    #expect { try a.flushAndWait(folding: true) } throws: { ($0 as? SnapshotError)?.code == .indeterminate }
    test.fileSystem.injectFault(nil)
    try a.write { _ = $0.left.remove(1) }
    try set(2, b)
    try replaceFile(adding: 3)
    look(a)
    // Nobody can say what the file was made from. So a conflict may keep the record, but never silently.
    let isTold = reports.withLock { $0.contains { $0.contains("left 1:") } }
    #expect(ids(a) == [2, 3] || isTold)
  }

  /// Another program removes what it had added, and the file has the bytes of a save again. A store that has taken
  /// the addition in, and has not saved it, does not take it for its own.
  @Test func anAdditionThatIsRemovedAgainIsNoChangeOfAStore() throws {
    let (a, b) = (try open(), try open())
    try a.write { try $0.set(4, to: 1) }
    try replaceFile(adding: 2)
    try set(1, b)
    let saved = try #require(test.bytes)
    try replaceFile(adding: 3)
    a.checkFileAndWait()
    #expect(ids(a) == [1, 2, 3, 4])
    test.bytes = saved
    try a.flushAndWait()
    b.checkFileAndWait()
    for store in [a, b] { #expect(ids(store) == [1, 2, 4]) }
  }

  /// Another program puts an older file in place, with the very same bytes, and a store is opened on it. Another store
  /// has read what was there in between. What it keeps over the older file is told.
  @Test func anOlderFileInPlaceAgainIsTold() throws {
    let b = try open()
    let a = try open()
    b.checkFileAndWait()
    let empty = try #require(test.bytes)
    try replaceFile(adding: 3)
    let added = try #require(test.bytes)
    b.checkFileAndWait()
    test.bytes = empty
    try a.closeAndWait()
    b.checkFileAndWait()
    #expect(ids(b) == [])
    test.bytes = added
    let c = try open()
    try set(1, c)
    look(b)
    try b.flushAndWait()
    look(c)
    #expect(ids(b) == [1] && ids(c) == [1])
    #expect(reports.withLock { $0.contains { $0.contains("left 3: theirs is an older") && $0.contains("conflict-") } })
  }

  /// An older file and its journal are put in place, after a store has taken in an edit of another program. What stores
  /// have saved since then stays.
  @Test(arguments: [true, false]) func anEditDoesNotHideSavesFromAnOlderFile(hasJournal: Bool) throws {
    let a = try open()
    try set(1, folding: true, a)
    let copies = [test.path, journal].map { ($0, test.fileSystem[$0]) }
    try set(2, folding: true, a)
    try replaceFile(adding: 3)
    look(a)
    #expect(ids(a) == [1, 2, 3])
    for (path, bytes) in copies { test.fileSystem[path] = hasJournal || path == test.path ? bytes : nil }
    look(a)
    #expect(ids(a) == [1, 2])
    let texts = reports.withLock { $0.joined() }
    #expect(!texts.contains("left 3"), "\(texts)")
  }

  /// What a peer has saved on the file of another program is no change of that program.
  @Test func linesOnTheFileOfAnotherProgramAreNotItsChanges() throws {
    let a = try open()
    try replaceFile(adding: 3)
    look(a)
    let c = try open()
    try set(6, c)
    look(a)
    try replaceFile(adding: 4)
    look(a)
    try a.write { _ = $0.left.remove(6) }
    look(c)
    try set(8, folding: true, c)
    look(a)
    #expect(ids(a) == [3, 4, 8])
  }

  /// A copy of file and journal from elsewhere has another change than this store. Both are there afterwards. So
  /// neither is told as lost.
  @Test func onlyWhatIsLostIsToldOfACopyFromElsewhere() throws {
    let a = try open()
    for id in 1...4 { try set(id, folding: true, a) }
    func copies(_ id: Int, _ value: Int) throws -> [(String, [UInt8]?)] {
      let disk = InMemoryFileSystem(directories: ["/dir"])
      var theirs: Counters = try test.stored()
      try theirs.set(id, to: value)
      disk[test.path] = try SnapshotFile.encode(theirs, as: .json)
      var options = StoreOptions(policy: .manual, access: .shared, journal: .beside())
      options.log = { _ in }
      let store = try Store<Counters>.open(
        at: URL(fileURLWithPath: test.path), options: options, fileSystem: disk, scheduler: ManualScheduler())
      try store.flushAndWait()
      return [test.path, journal].map { ($0, disk[$0]) }
    }
    let (first, second) = (try copies(2, 5), try copies(2, 9))
    for (path, bytes) in first { test.fileSystem[path] = bytes }
    look(a)
    try a.write { try $0.set(1, to: 7) }
    for (path, bytes) in second { test.fileSystem[path] = bytes }
    look(a)
    #expect(a.read { $0.left.map(\.value) } == [7, 9, 1, 1])
    let last = try #require(reports.withLock { $0.last })
    #expect(last.contains("left 2: both changed it; theirs was taken") && !last.contains("left 1"), "\(last)")
  }

  /// The same in a store that takes the file of another program as it is.
  @Test func aReloadedAdditionThatIsRemovedAgainIsNoChangeOfAStore() throws {
    let a = try open(.shared, .beside(), recovery: .none, .reload)
    try set(1, folding: true, a)
    let saved = try #require(test.bytes)
    try replaceFile(adding: 3)
    a.checkFileAndWait()
    #expect(ids(a) == [1, 3])
    test.bytes = saved
    a.checkFileAndWait()
    try a.flushAndWait()
    #expect(ids(a) == [1])
  }
}
