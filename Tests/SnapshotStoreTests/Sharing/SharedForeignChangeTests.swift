import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Another program, which knows no lock and no journal, replaces a file that several stores have open.
final class SharedForeignChangeTests: Sendable {
  private let test = StoreUnderTest(savesAtOnce: false)
  private let reports = SmallLock<[ExternalChange]>([])

  private func open(
    _ journal: JournalPolicy = .beside(), _ access: StoreAccess = .shared
  ) throws -> Store<Counters> {
    var options = StoreOptions(policy: .manual, access: access, journal: journal, externalChanges: .merge)
    options.log = { _ in }
    options.onExternalChange = { [weak self] change in self?.reports.withLock { $0.append(change) } }
    let store = try test.open(Counters.self, options)
    settle()
    return store
  }

  private func settle() { test.settle() }

  private func save(_ store: Store<Counters>, folding: Bool = false) throws {
    try test.save(store, folding: folding)
  }

  /// Two stores with a file of two records, and a journal.
  private func openBoth(_ change: (inout Counters) throws -> Void) throws -> (Store<Counters>, Store<Counters>) {
    let (a, b) = (try open(), try open())
    try a.write { counters in
      try counters.set(1, to: 9_000_001)
      // It tells that the other program has read this version.
      try counters.set(3, to: 9_000_003)
    }
    try save(a, folding: true)
    try a.write(change)
    try save(a)
    try #require(test.journal != nil)
    return (a, b)
  }

  /// Changes the file as a program that has read it without its journal.
  private func edit(_ change: (inout Counters) throws -> Void) throws {
    var theirs = try SnapshotFile.decode(Counters.self, from: #require(test.bytes))
    try change(&theirs)
    test.bytes = try SnapshotFile.encode(theirs, as: .json)
    settle()
  }

  private func value(_ store: Store<Counters>, _ id: Int) -> Int? { store.read { $0.left[id]?.value } }

  /// The change of the other program is the base of what the stores save afterwards.
  @Test func whatIsSavedAfterwardsIsFollowed() throws {
    let (a, b) = try openBoth { try $0.set(2, to: 9_000_002) }
    try edit { try $0.set(1, to: 9_000_010) }
    #expect(value(a, 1) == 9_000_010)
    #expect(value(b, 1) == 9_000_010)
    try a.write { try $0.set(1, to: 9_000_001) }
    try save(a)
    #expect(value(b, 1) == 9_000_001)
    try save(b)
    #expect(value(a, 1) == 9_000_001)
    #expect(value(b, 2) == 9_000_002)
  }

  /// Until then, programs that only read find a journal of another file.
  @Test func theFileIsSavedWithItsJournal() throws {
    let (a, b) = try openBoth { try $0.set(2, to: 9_000_002) }
    try edit { try $0.set(1, to: 9_000_010) }
    #expect(a.status.isDirty)
    try save(a)
    #expect(try test.stored().left.map(\.value) == [9_000_010, 9_000_002, 9_000_003])
    #expect(b.read { $0 } == a.read { $0 })
    // Nothing is lost, so nothing is kept.
    #expect(test.paths.filter { !$0.hasSuffix(".journal") } == [test.path], "\(reports.withLock { $0 })")
  }

  /// One store, which saves by itself.
  @Test func oneStoreKeepsNothingIfNothingIsLost() throws {
    var options = StoreOptions(
      policy: .automatic(delay: .milliseconds(150), maxDelay: .seconds(1)), access: .shared,
      journal: .beside(quietTime: .seconds(3)), externalChanges: .merge)
    options.log = { _ in }
    options.onExternalChange = { [weak self] change in self?.reports.withLock { $0.append(change) } }
    let store = try test.open(Counters.self, options)
    try store.write { counters in for id in 1...3 { try counters.set(id, to: 9_000_000 + id) } }
    try save(store)
    for _ in 0..<2 { settle() }
    try #require(test.changes == 0)
    try store.write { try $0.set(1, to: 9_000_011) }
    test.scheduler.advance(by: .milliseconds(200))
    test.runSaves()
    try #require(test.journal != nil)
    try edit { try $0.set(2, to: 9_000_012) }
    for _ in 0..<3 { settle() }
    #expect(store.read { $0.left.map(\.value) } == [9_000_011, 9_000_012, 9_000_003])
    #expect(test.changes == 0)
    #expect(test.paths.filter { !$0.hasSuffix(".journal") } == [test.path], "\(reports.withLock { $0 })")
  }

  @Test func aConflictWithTheJournalIsToldAndKept() throws {
    let (a, b) = try openBoth { try $0.set(1, to: 9_000_002) }
    try edit { try $0.set(1, to: 9_000_010) }
    let kept = reports.withLock { reports in
      reports.compactMap { report -> String? in
        guard case .merged(let outcome, let kept) = report, outcome.conflicts.count == 1 else { return nil }
        return kept
      }
    }
    #expect(kept.count == 2)
    #expect(Set(kept).count == 1)
    let path = try #require(kept.first)
    let bytes = try #require(test.fileSystem[path])
    #expect(try SnapshotFile.decode(Counters.self, from: bytes).left[1]?.value == 9_000_010)
    try save(a)
    #expect(value(a, 1) == 9_000_002)
    #expect(value(b, 1) == 9_000_002)
    #expect(try test.stored().left[1]?.value == 9_000_002)
  }

  /// A store that was asleep does not know the versions in between, of which the other program has read one.
  @Test func whatWasSavedWhileAStoreSleptStays() throws {
    let (a, b) = (try open(.none), try open(.none))
    try a.write { try $0.set(1, to: 9_000_001) }
    try save(a)
    try a.suspendAndWait(flushing: false)
    try b.write { try $0.set(2, to: 9_000_002) }
    try save(b)
    let read = try #require(test.bytes)
    try b.write { try $0.set(3, to: 9_000_003) }
    try save(b)
    a.resume()
    settle()
    #expect(value(a, 3) == 9_000_003)
    try b.suspendAndWait(flushing: false)
    var theirs = try SnapshotFile.decode(Counters.self, from: read)
    try theirs.set(4, to: 9_000_004)
    test.bytes = try SnapshotFile.encode(theirs, as: .json)
    settle()
    try save(a)
    #expect(try test.stored().left.map(\.value) == [9_000_001, 9_000_002, 9_000_003, 9_000_004])
    b.resume()
    settle()
    #expect(b.read { $0 } == a.read { $0 })
  }

  /// Until the first of them is saved, the journal stands on an older version than the edits.
  @Test(arguments: [StoreAccess.shared, .exclusive])
  func editsBesideAJournalFollowEachOther(_ access: StoreAccess) throws {
    let store = try open(.beside(), access)
    try store.write { counters in for id in [1, 3] { try counters.set(id, to: 9_000_000 + id) } }
    try save(store, folding: true)
    try store.write { try $0.set(2, to: 9_000_002) }
    try save(store)
    try #require(test.journal != nil)
    let reader = try test.open(Counters.self, StoreOptions(policy: .readOnly, externalChanges: .reload))
    var expected = store.read { $0 }
    for (id, value) in [(1, 9_000_010), (4, 9_000_004), (1, 9_000_011), (5, 9_000_005)] {
      try edit { try $0.set(id, to: value) }
      try expected.set(id, to: value)
      #expect(store.read { $0 } == expected, "\(id)")
      #expect(reader.read { $0 } == expected, "\(id)")
    }
    #expect(test.paths.filter { $0.contains("conflict") } == [], "\(reports.withLock { $0 })")
    try save(store)
    #expect(try test.stored() == expected)
  }

  /// It has read the file before the version on which the journal stands, so it has removed nothing.
  @Test(arguments: [StoreAccess.shared, .exclusive])
  func aProgramThatHasReadAnOlderVersionReplacesTheFileTwice(_ access: StoreAccess) throws {
    let store = try open(.beside(), access)
    try store.write { try $0.set(1, to: 9_000_001) }
    try save(store, folding: true)
    var theirs = try SnapshotFile.decode(Counters.self, from: #require(test.bytes))
    try store.write { try $0.set(2, to: 9_000_002) }
    try save(store, folding: true)
    try store.write { try $0.set(3, to: 9_000_003) }
    try save(store)
    try #require(test.journal != nil)
    for value in [9_000_010, 9_000_011] {
      try theirs.set(1, to: value)
      test.bytes = try SnapshotFile.encode(theirs, as: .json)
      settle()
      #expect(store.read { $0.left.map(\.id) } == [1, 2, 3])
    }
    try save(store)
    #expect(try test.stored().left.map(\.id) == [1, 2, 3])
  }

  /// Nothing was saved in between, so the versions that the other program has read are known.
  @Test func editsThatFollowEachOtherAreTaken() {
    each([JournalPolicy.beside(), .none]) { (journal: JournalPolicy) throws in
      let world = SharedForeignChangeTests()
      let (a, b) = (try world.open(journal), try world.open(journal))
      try a.write { counters in
        try counters.set(1, to: 9_000_001)
        try counters.set(3, to: 9_000_003)
      }
      try world.save(a, folding: true)
      for number in 9_000_010...9_000_014 {
        try world.edit { counters in
          try counters.set(1, to: number)
          try counters.set(number, to: number)
        }
        #expect(world.value(a, 1) == number)
        #expect(world.value(b, 1) == number)
      }
    }
  }

  /// A store knows the other program's file only from a merge that another store has saved. The same file comes again.
  @Test func aFileThatAnotherStoreHasMergedMayComeAgain() throws {
    let (a, b) = (try open(.none), try open(.none))
    try a.write { try $0.set(1, to: 9_000_001) }
    try save(a)
    var theirs = try SnapshotFile.decode(Counters.self, from: #require(test.bytes))
    try theirs.set(3, to: 9_000_003)
    let older = try SnapshotFile.encode(theirs, as: .json)
    try a.write { try $0.set(2, to: 9_000_002) }
    try save(a)
    try b.suspendAndWait(flushing: false)
    test.bytes = older
    settle()
    try save(a)
    b.resume()
    settle()
    #expect(b.read { $0.left.count } == 3)
    try a.suspendAndWait(flushing: false)
    test.bytes = older
    settle()
    try save(b)
    #expect(try test.stored().left.map(\.value) == [9_000_001, 9_000_002, 9_000_003])
  }
}
