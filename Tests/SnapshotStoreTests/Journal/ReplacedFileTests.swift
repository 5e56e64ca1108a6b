import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// A journal whose file was replaced, edited, damaged or removed while nobody had the store open.
struct ReplacedFileTests {
  static let path = "/dir/store.json"

  func open(
    _ disk: InMemoryFileSystem, _ policy: SavePolicy = .manual, recovery: Recovery = .none
  ) throws -> Store<Counters> {
    var options = StoreOptions.journaled(policy)
    options.recovery = recovery
    return try Store<Counters>.open(
      at: URL(fileURLWithPath: Self.path), options: options, fileSystem: disk, scheduler: ManualScheduler())
  }

  /// A disk with a journal of counters 1 to 3, and with a file to which another program has added counter 10.
  private func edited(keepingBase: Bool) throws -> InMemoryFileSystem {
    let (disk, _) = try JournalStoreTests.abandoned()
    let old = try #require(disk[Self.path])
    if keepingBase {
      let folder = "/dir/.store.json.generations"
      disk.placeDirectory(folder)
      disk["\(folder)/\(Generation.fileName(number: 1, date: Date(timeIntervalSince1970: 0), of: "store.json"))"] = old
    }
    var theirs: Counters = try SnapshotFile.decode(from: old)
    try theirs.set(10, to: 10)
    disk[Self.path] = try SnapshotFile.encode(theirs, as: .json)
    return disk
  }

  @Test func bothAreMergedWithTheGenerationThatTheJournalNames() throws {
    let disk = try edited(keepingBase: true)
    let store = try open(disk)
    #expect(store.snapshot().value.left.map(\.id) == [1, 2, 3, 10])
    let report = try #require(store.openReport?.journal)
    #expect(report.changes == 3 && report.outcome == MergeOutcome() && report.kept.count == 2)
    try store.closeAndWait()
    #expect(try SnapshotFile.decode(Counters.self, from: #require(disk[Self.path])) == store.snapshot().value)
    #expect(disk[JournalStoreTests.journalPath] == nil)
  }

  @Test func withoutABaseBothAreKept() throws {
    let disk = try edited(keepingBase: false)
    let theirs = try #require(disk[Self.path])
    let journal = try #require(disk[JournalStoreTests.journalPath])
    let store = try open(disk)
    #expect(store.snapshot().value.left.map(\.id) == [1, 2, 3, 10])
    #expect(store.openReport?.journal?.kept.count == 2)
    try store.closeAndWait()
    #expect(disk.contents.values.contains(theirs) && disk.contents.values.contains(journal))
    #expect(disk[JournalStoreTests.journalPath] == nil)
  }

  // The other program may have changed it, so it is there. The report says so.
  @Test(arguments: [Recovery.none, .generations]) func aRemovalWithoutABaseIsAConflict(_ recovery: Recovery) throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self, .journaled())
    try store.write { for id in 1...3 { try $0.set(id, to: id) } }
    try store.flushAndWait(folding: true)
    try store.write { value in
      value.left.remove(2)
      try value.set(4, to: 4)
    }
    try store.flushAndWait()
    let disk = test.fileSystem.copyOfFiles()
    try store.closeAndWait()
    var theirs: Counters = try SnapshotFile.decode(from: #require(disk[Self.path]))
    try theirs.set(10, to: 10)
    disk[Self.path] = try SnapshotFile.encode(theirs, as: .json)
    let next = try open(disk, recovery: recovery)
    #expect(next.snapshot().value.left.map(\.id) == [1, 2, 3, 4, 10])
    let conflict = MergeConflict(table: "left", id: "2", properties: [], resolution: .keptTheirChange)
    #expect(next.openReport?.journal?.outcome?.conflicts == [conflict])
    #expect(next.openReport?.journal?.kept.count == 2)
    try next.closeAndWait()
  }

  /// The same if a record of the journal does not fit to one that only the other program has.
  @Test func aRemovalIsToldBesideARecordThatDoesNotFit() throws {
    let test = StoreUnderTest()
    let store = try test.open(Directory.self, .journaled())
    try store.write { for id in 1...2 { try $0.people.insert(Person(id: id, email: "\(id)@x")) } }
    try store.flushAndWait(folding: true)
    try store.write { value in
      value.people.remove(2)
      try value.people.insert(Person(id: 3, email: "taken@x"))
    }
    try store.flushAndWait()
    let disk = test.fileSystem.copyOfFiles()
    try store.closeAndWait()
    for path in disk.paths where path.contains(".generations/") { disk[path] = nil }
    var theirs: Directory = try SnapshotFile.decode(from: #require(disk[Self.path]))
    try theirs.people.insert(Person(id: 4, email: "taken@x"))
    disk[Self.path] = try SnapshotFile.encode(theirs, as: .json)
    let next = try Store<Directory>.open(
      at: URL(fileURLWithPath: Self.path), options: .journaled(), fileSystem: disk, scheduler: ManualScheduler())
    let conflicts = try #require(next.openReport?.journal?.outcome?.conflicts)
    #expect(conflicts.contains(MergeConflict(table: "people", id: "2", properties: [], resolution: .keptTheirChange)))
    try next.closeAndWait()
  }

  @Test func aReaderMergesTooAndWritesNothing() throws {
    let disk = try edited(keepingBase: true)
    let before = disk.contents
    let store = try open(disk, .readOnly)
    #expect(store.snapshot().value.left.map(\.id) == [1, 2, 3, 10])
    try store.closeAndWait()
    #expect(disk.contents == before)
  }

  @Test func aJournalWithoutItsFileIsKept() throws {
    let (disk, _) = try JournalStoreTests.abandoned()
    let journal = try #require(disk[JournalStoreTests.journalPath])
    disk[Self.path] = nil
    let store = try open(disk)
    #expect(store.openReport?.source == .created)
    let kept = try #require(store.openReport?.journal?.kept.first)
    #expect(disk[kept] == journal)
    #expect(disk[JournalStoreTests.journalPath] == nil)
    #expect(store.snapshot().value == Counters())
  }

  @Test func aJournalOfAnOlderFileIsNotReplayed() throws {
    let (disk, value) = try JournalStoreTests.abandoned()
    let journal = try #require(disk[JournalStoreTests.journalPath])
    let store = try open(disk)
    try store.write { _ = $0.left.remove(2) }
    try store.closeAndWait()
    let file = try #require(disk[Self.path])
    // As after a backup of single files.
    disk[JournalStoreTests.journalPath] = journal
    let merged = try open(disk)
    #expect(merged.openReport?.journal?.outcome != nil)
    #expect(merged.openReport?.journal?.kept.isEmpty == false)
    #expect(disk.contents.values.contains(file) && disk.contents.values.contains(journal))
    // A flawed reader that does not ask which file the journal belongs to.
    let blind = try Journal(journal, limits: ReadLimits())
    let wrong = try blind.replay(
      blind.lines[...], onto: SnapshotContent(SnapshotFile.decode(Counters.self, from: file)), .wholeFile,
      idKeys: [:], limits: ReadLimits())
    #expect(wrong.value == value, "the flaw would not be noticed")
  }

  /// Lines beside another file than theirs cannot be used if one is damaged. All of them are counted.
  @Test func linesBesideAnotherFileAreCounted() throws {
    let (disk, _) = try JournalStoreTests.abandoned()
    disk.overwrite(JournalStoreTests.journalPath) { bytes in
      let place = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? 0
      bytes[place + 30] ^= 1
    }
    var other = Counters()
    try other.set(10, to: 10)
    disk[Self.path] = try SnapshotFile.encode(other, as: .json)
    let store = try open(disk, recovery: .generations)
    #expect(store.snapshot().value == other)
    #expect(store.openReport?.journal?.lostLines == 3)
    try store.closeAndWait()
  }

  @Test func aDamagedLineIsAnError() throws {
    let (disk, value) = try JournalStoreTests.abandoned()
    disk.overwrite(JournalStoreTests.journalPath) { bytes in
      let place = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? 0
      bytes[place + 30] ^= 1
    }
    func others() -> [String: [UInt8]] { disk.contents.filter { !$0.key.hasSuffix(".lock") } }
    let before = others()
    #expect { try open(disk) } throws: { ($0 as? SnapshotError)?.code == .damagedJournal }
    #expect(others() == before)
    let store = try open(disk, recovery: .generations)
    #expect(store.openReport?.journal?.lostLines == 1)
    // The lines behind the damaged one are used.
    #expect(store.snapshot().value.left.map(\.id) == Array(value.left.map(\.id).dropFirst()))
    let kept = try #require(store.openReport?.journal?.kept.first)
    #expect(disk[kept] == before[JournalStoreTests.journalPath])
    try store.closeAndWait()
    #expect(try open(disk).snapshot().value == store.snapshot().value)
  }

  @Test func aDamagedFileIsSalvagedWithItsJournal() throws {
    let test = StoreUnderTest()
    let first = try test.open(Counters.self, .journaled())
    try first.write { for id in 1...20 { try $0.set(id, to: id) } }
    try first.closeAndWait()
    let second = try test.open(Counters.self, .journaled())
    try second.write { try $0.set(30, to: 30) }
    try second.flushAndWait()
    let disk = test.fileSystem.copyOfFiles()
    disk.overwrite(Self.path) { bytes in
      let place = bytes.firstRange(of: Array(#""id":7"#.utf8))?.lowerBound ?? 0
      bytes[place] = UInt8(ascii: "?")
    }
    let store = try open(disk, recovery: .salvage)
    #expect(store.openReport?.source == .salvage)
    #expect(store.snapshot().value.left.map(\.id) == Array(1...6) + Array(8...20) + [30])
    #expect(store.openReport?.journal?.changes == 1)
    try store.closeAndWait()
    #expect(disk[JournalStoreTests.journalPath] == nil)
    #expect(try open(disk).snapshot().value == store.snapshot().value)
  }

  @Test func anOpenStoreMergesWhatAnotherProgramWrote() {
    each([ExternalChange.Policy.merge, .reload, .keepOurs, .fail]) { (policy: ExternalChange.Policy) throws in
      let test = StoreUnderTest()
      var options = StoreOptions.journaled()
      options.externalChanges = policy
      let store = try test.open(Counters.self, options)
      try store.write { try $0.set(1, to: 1) }
      try store.flushAndWait()
      var theirs: Counters = try test.stored()
      try theirs.set(10, to: 10)
      test.bytes = try SnapshotFile.encode(theirs, as: .json)
      if policy != .reload { try store.write { try $0.set(2, to: 2) } }
      switch policy {
      case .fail:
        #expect { try store.flushAndWait() } throws: { ($0 as? SnapshotError)?.code == .changedExternally }
        // The change is still in the journal.
        #expect(test.journal != nil)
      case .merge:
        try store.closeAndWait()
        #expect(store.snapshot().value.left.map(\.id) == [1, 2, 10])
        #expect(try test.stored() == store.snapshot().value)
      case .keepOurs:
        try store.closeAndWait()
        #expect(store.snapshot().value.left.map(\.id) == [1, 2])
        #expect(test.paths.contains { $0.contains(".conflict-") })
      case .reload:
        store.checkFileAndWait()
        #expect(store.snapshot().value == theirs)
        #expect(test.journal == nil)
        // What was only in the journal is in a file of its own.
        let kept = try #require(test.paths.first { $0.contains(".conflict-") })
        #expect(
          try SnapshotFile.decode(Counters.self, from: #require(test.fileSystem[kept])).left.map(\.id) == [1])
      }
    }
  }
}
