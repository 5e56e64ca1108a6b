import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Calls of a store with a journal that fail. Whatever fails, nothing that was saved is lost, and a closed store is one
/// plain file.
struct JournalFailureTests {
  @Test func aFailedSyncOfALineIsIndeterminate() throws {
    let test = StoreUnderTest()
    let store = try test.openWithLine()
    test.fail { $0.name == "fdatasync" }
    try store.write { try $0.set(2, to: 2) }
    let error = try #require(throws: SnapshotError.self) { try store.flushAndWait() }
    #expect(error.code == .indeterminate)
    #expect(error.description.contains("/dir/.store.json.journal: fdatasync failed"))
    test.fail { _ in false }
    try store.flushAndWait()
    try test.checkEnd(of: store)
  }

  @Test func anIncompleteLineIsNotSaved() throws {
    let test = StoreUnderTest()
    let store = try test.openWithLine()
    test.fail { $0.name == "pwrite" }
    try store.write { try $0.set(2, to: 2) }
    #expect(try #require(throws: SnapshotError.self) { try store.flushAndWait() }.code == .ioFailed)
    test.fail { _ in false }
    try test.checkEnd(of: store)
  }

  /// A program ends without closing a store that has made its journal anew. The next one leaves one plain file.
  @Test func aStoreThatIsNotClosedLeavesNoMoreThanItsJournal() throws {
    let test = StoreUnderTest()
    var store: Store<Counters>? = try test.openWithLine()
    test.fail { $0.name == "pwrite" }
    try store?.write { try $0.set(2, to: 2) }
    #expect(throws: SnapshotError.self) { try store?.flushAndWait() }
    test.fail { _ in false }
    try store?.flushAndWait()
    store = nil
    #expect(test.journal != nil)
    let next = try test.open(Counters.self, .journaled())
    try next.write { try $0.set(3, to: 3) }
    try next.flushAndWait()
    try test.checkEnd(of: next)
    #expect(test.paths.filter { $0.contains(".lock") } == [])
  }

  /// The journal is there, though its name may not be durable.
  @Test func aNewJournalWithoutADurableNameIsFoldedAtTheEnd() throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self, .journaled())
    test.failDirectorySync()
    try store.write { try $0.set(1, to: 1) }
    #expect(try #require(throws: SnapshotError.self) { try store.flushAndWait() }.code == .indeterminate)
    #expect(test.journal != nil)
    test.fail { _ in false }
    try test.checkEnd(of: store)
  }

  /// A fold must not cut the new journal where the old one ended.
  @Test func aJournalInPlaceOfABrokenOneIsFoldedAsAWhole() throws {
    let test = StoreUnderTest()
    let store = try test.openWithLine()
    test.fail { $0.name == "pwrite" }
    for id in 2...5 { try store.write { try $0.set(id, to: id) } }
    #expect(throws: SnapshotError.self) { try store.flushAndWait() }
    test.failDirectorySync()
    #expect(throws: SnapshotError.self) { try store.flushAndWait() }
    // The fold gets as far as the mark.
    test.fail { $0.name == "renameat" && !$0.target.hasSuffix(".journal") }
    #expect(throws: SnapshotError.self) { try store.flushAndWait(folding: true) }
    #expect(try test.reread() == store.snapshot().value)
    test.fail { _ in false }
    try test.checkEnd(of: store)
  }

  @Test func aJournalThatCannotBeRemovedIsNotReplayed() throws {
    let test = StoreUnderTest()
    let store = try test.openWithLine()
    test.fail { $0.name == "unlinkat" && $0.target.hasSuffix(".journal") }
    try store.flushAndWait(folding: true)
    try store.write { _ = $0.left.remove(1) }
    try store.flushAndWait(folding: true)
    try store.closeAndWait()
    #expect(test.journal != nil)
    #expect(try test.reread() == Counters())
    test.fail { _ in false }
    let again = try test.open(Counters.self, .journaled())
    #expect(again.openReport?.journal == nil)
    try test.checkEnd(of: again)
  }
}

extension StoreUnderTest {
  /// An open store with one change in its journal.
  fileprivate func openWithLine() throws -> Store<Counters> {
    let store = try open(Counters.self, .journaled())
    try store.write { try $0.set(1, to: 1) }
    try store.flushAndWait()
    return store
  }

  fileprivate func fail(_ calls: @escaping @Sendable (InMemoryFileSystem.Call) -> Bool) {
    fileSystem.injectFault { calls($0) ? EIO : nil }
  }

  /// Closes the store. Then its file has everything, and there is no other.
  fileprivate func checkEnd(of store: Store<Counters>) throws {
    let value = store.snapshot().value
    #expect(try reread() == value || store.durableRevision < store.revision)
    try store.closeAndWait()
    #expect(paths == ["/dir/store.json"])
    #expect(try stored() == value)
    #expect(value.allViolations() == [])
    #expect(openCount == 0)
  }
}
