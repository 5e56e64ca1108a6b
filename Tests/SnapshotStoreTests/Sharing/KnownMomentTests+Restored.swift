import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Something puts an older version of the file or of its journal in place, as a backup or a sync service does.
extension KnownMomentTests {
  private var copies: [(String, [UInt8]?)] { [test.path, journal].map { ($0, test.fileSystem[$0]) } }

  private func putBack(_ copies: [(String, [UInt8]?)]) {
    for (path, bytes) in copies { test.fileSystem[path] = bytes }
  }

  private func remove(_ id: Int, _ store: Store<Counters>) throws {
    try store.write { _ = $0.left.remove(id) }
    try store.flushAndWait()
  }

  /// Another program reads the file, removes a record, and replaces the file.
  private func removeByAnother(_ id: Int) throws {
    var theirs: Counters = try test.stored()
    _ = theirs.left.remove(id)
    test.bytes = try SnapshotFile.encode(theirs, as: .json)
  }

  /// The journal has lost lines that both stores know. One of them sees that, and saves a removal. The other one has
  /// nothing unsaved, so nothing comes back.
  @Test func aRemovalBehindLostLinesHolds() throws {
    let (a, b) = (try open(), try open())
    try set(1, folding: true, a)
    try set(2, a)
    let older = copies
    try set(3, a)
    look(b)
    putBack(older)
    try remove(3, a)
    look(b)
    #expect(ids(b) == [1, 2])
    try set(4, b)
    look(a)
    #expect(ids(a) == [1, 2, 4])
  }

  /// Another program removes a record, and a store that does not know the record goes on from that. To the one that has
  /// saved the record, that looks like an older version. It has changed the record since, so it tells that too.
  @Test func aChangeOverAnOlderVersionIsTold() throws {
    let (a, b) = (try open(), try open())
    try set(1, folding: true, a)
    try removeByAnother(1)
    try set(5, b)
    try set(1, to: 2, a)
    #expect(ids(a) == [1, 5])
    let last = try #require(reports.withLock { $0.last })
    #expect(last.contains("left 1: theirs is an older version of it; ours was taken"), "\(last)")
  }

  /// The same with a record that the first store has removed meanwhile, and the other one has added again.
  @Test func aRemovalThatAnOlderVersionUndoesIsTold() throws {
    let (a, b) = (try open(), try open())
    try set(1, folding: true, a)
    try removeByAnother(1)
    try set(1, to: 5, b)
    try remove(1, a)
    #expect(ids(a) == [1])
    let last = try #require(reports.withLock { $0.last })
    #expect(last.contains("left 1: removed here, changed there; it was restored"), "\(last)")
  }

  /// A file that was made from an older version, without its journal: nobody can say which versions its author knew.
  private func putElsewhere(_ value: Counters) throws {
    test.bytes = try SnapshotFile.encode(value, as: .json)
    test.fileSystem[journal] = nil
  }

  /// What a store has removed comes back with such a file, since its author may have written it. That is told.
  @Test func aRemovedRecordThatComesBackIsTold() throws {
    let a = try open()
    for id in 1...2 { try set(id, folding: true, a) }
    var older: Counters = try test.stored()
    try remove(2, a)
    try a.flushAndWait(folding: true)
    try older.set(3, to: 3)
    try putElsewhere(older)
    look(a)
    #expect(ids(a) == [1, 2, 3])
    let last = try #require(reports.withLock { $0.last })
    #expect(
      last.contains("left 2: removed here, changed there; it was restored") && !last.contains("left 3"), "\(last)")
  }

  /// The file that a report names is there, even if an earlier one with the same content was removed.
  @Test func whatAMergeHasLostIsKeptAgain() throws {
    let a = try open()
    // Long numbers show which version the other program has read.
    for id in 1...2 { try set(id, to: 7_316_540 + id, folding: true, a) }
    var other: Counters = try test.stored()
    for round in 1...2 {
      try other.set(2, to: 9_000_000 + round)
      try set(2, to: 5_000_005, folding: true, a)
      try putElsewhere(other)
      look(a)
      let kept = test.paths.filter { $0.contains("before-merge") }
      #expect(a.read { $0.left[2]?.value } == 9_000_000 + round && kept.count == 1, "\(kept)")
      for path in kept { test.fileSystem[path] = nil }
    }
  }
}
