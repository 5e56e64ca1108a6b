import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// A journal that a store finds and cannot simply replay: it is cut to nothing, or of another schema or version. Or
/// someone has damaged the file.
struct StrangeJournalTests {
  private static let path = "/dir/store.json"

  private func open<Root: Model>(
    _ type: Root.Type, _ disk: InMemoryFileSystem, _ policy: SavePolicy = .manual, recovery: Recovery = .none
  ) throws -> Store<Root> {
    var options = StoreOptions.journaled(policy)
    options.recovery = recovery
    return try Store<Root>.open(
      at: URL(fileURLWithPath: Self.path), options: options, fileSystem: disk, scheduler: ManualScheduler())
  }

  /// A file that the journal does not stand on any more, and the journal.
  private func disk<Root: Model>(_ journal: [UInt8], beside value: Root) throws -> InMemoryFileSystem {
    let disk = InMemoryFileSystem(directories: ["/dir"])
    disk[Self.path] = try SnapshotFile.encode(value, as: .json)
    disk[JournalStoreTests.journalPath] = journal
    return disk
  }

  private func expectRefusal<Root: Model>(
    _ code: SnapshotError.Code, _ type: Root.Type, _ disk: InMemoryFileSystem,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let contents = { disk.contents.filter { !$0.key.hasSuffix(".lock") } }
    let before = contents()
    for policy in [SavePolicy.manual, .readOnly] {
      let error = #expect(throws: SnapshotError.self, sourceLocation: sourceLocation) { try open(type, disk, policy) }
      #expect(error?.code == code, "\(String(describing: error))", sourceLocation: sourceLocation)
      #expect(error?.advice?.contains("for writing") == false, sourceLocation: sourceLocation)
    }
    #expect(contents() == before, sourceLocation: sourceLocation)
  }

  // A journal gets its name with its first line, whole and synced.
  @Test func aJournalThatWasCutToNothingIsAnError() {
    each([0, 1, 60, 100]) { (count: Int) throws in
      let (disk, _) = try JournalStoreTests.abandoned()
      disk.overwrite(JournalStoreTests.journalPath) { $0 = Array($0.prefix(count)) }
      try expectRefusal(.damagedJournal, Counters.self, disk)
      let location = try FileLocation(Self.path, on: disk)
      let content = try disk.readJournaled(at: location, limit: .max)
      #expect { try content.folded(ReadLimits(), path: Self.path) } throws: {
        ($0 as? SnapshotError)?.code == .damagedJournal
      }
      let cut = try #require(disk[JournalStoreTests.journalPath])
      let store = try open(Counters.self, disk, recovery: .generations)
      #expect(store.snapshot().value == Counters())
      let kept = try #require(store.openReport?.journal?.kept.first)
      #expect(disk[kept] == cut)
      try store.closeAndWait()
      #expect(disk[JournalStoreTests.journalPath] == nil)
    }
  }

  private struct Others: Model {
    var left = Table<Counter>()
    static let schema = Schema<Others>("others", version: 1, Field("left", \.left))
  }

  private struct NewerCounters: Model {
    var left = Table<Counter>()
    static let schema = Schema<NewerCounters>("counters", version: 2, Field("left", \.left))
  }

  @Test func aJournalOfAnotherSchemaIsAnErrorUnlessItMayBeSetAside() throws {
    var value = Others()
    try value.left.upsert(Counter(id: 7, value: 7))
    let (abandoned, _) = try JournalStoreTests.abandoned()
    let journal = try #require(abandoned[JournalStoreTests.journalPath])
    let disk = try disk(journal, beside: value)
    try expectRefusal(.foreignJournal, Others.self, disk)
    let file = disk[Self.path]
    let store = try open(Others.self, disk, recovery: .generations)
    #expect(store.snapshot().value.left.map(\.id) == [7])
    #expect(store.openReport?.journal?.lostLines == 3)
    let kept = try #require(store.openReport?.journal?.kept.first)
    #expect(disk[kept] == journal)
    #expect(disk[JournalStoreTests.journalPath] == nil)
    #expect(disk[Self.path] == file)
    try store.closeAndWait()
  }

  @Test func aJournalOfANewerVersionIsAnError() throws {
    var newer = NewerCounters()
    try newer.left.upsert(Counter(id: 1, value: 1))
    var journal = try JournalUnderTest(NewerCounters())
    try journal.change { $0 = newer }
    var value = Counters()
    try value.set(2, to: 2)
    try expectRefusal(.newerVersion, Counters.self, try disk(journal.bytes, beside: value))
  }

  /// The file that a migration keeps is the only way back, so it must have everything.
  @Test func theFileThatIsKeptBeforeAMigrationHasTheJournal() throws {
    let library = try Library.V1.random(seed: 3, count: 5)
    var journal = try JournalUnderTest(library)
    try journal.change { try $0.books.update($0.books.ids.first ?? 0) { $0.title = "In the journal" } }
    let disk = InMemoryFileSystem(directories: ["/dir"])
    disk[Self.path] = journal.file
    disk[JournalStoreTests.journalPath] = journal.bytes
    let reader = try open(Library.Today.self, disk, .readOnly)
    #expect(reader.read { $0.volumes.contains { $0.title == "In the journal" } })
    #expect(disk[JournalStoreTests.journalPath] == journal.bytes)
    let store = try open(Library.Today.self, disk)
    #expect(store.openReport?.migration?.from == 1)
    #expect(store.openReport?.journal?.changes == 1)
    #expect(store.read { $0.volumes.contains { $0.title == "In the journal" } })
    try store.write { try $0.loans.insert(Library.Loan(id: 1_000_000, title: "", borrower: "")) }
    try store.closeAndWait()
    let kept = try #require(disk.contents.first { $0.key.contains(".generations/") && $0.key.contains("_v1") })
    #expect(try kept.value == SnapshotFile.encode(journal.value, as: .json))
    #expect(disk[JournalStoreTests.journalPath] == nil)
  }

  /// Without the damaged file, the newest generation is opened. It does not have what the journal has.
  @Test func theJournalOfADamagedFileIsMergedIntoAGeneration() throws {
    let test = StoreUnderTest()
    var options = StoreOptions.journaled()
    options.generations = Generation.Policy(count: 3, interval: .zero)
    for id in 1...3 {
      let store = try test.open(Counters.self, options)
      try store.write { try $0.set(id, to: id) }
      try store.flushAndWait(folding: id < 3)
      if id < 3 { try store.closeAndWait() } else { withExtendedLifetime(store) {} }
      if id == 3 { break }
    }
    let disk = test.fileSystem.copyOfFiles()
    let journal = try #require(disk[JournalStoreTests.journalPath])
    disk.overwrite(Self.path) { $0 = Array($0.prefix(20)) }
    let store = try open(Counters.self, disk, recovery: .generations)
    // The newest generation has the counter 1, the damaged file 2, the journal 3.
    #expect(store.snapshot().value.left.map(\.id) == [1, 3])
    #expect(store.openReport?.journal?.changes == 1)
    #expect(store.openReport?.journal?.outcome == MergeOutcome())
    let kept = try #require(store.openReport?.journal?.kept.first)
    #expect(disk[kept] == journal)
    try store.closeAndWait()
    #expect(try open(Counters.self, disk).snapshot().value == store.snapshot().value)
  }

  /// The third line removes what the lost second one has put. Without types, that record cannot be found.
  @Test func aSalvageTakesTheLinesUpToOneThatNeedsALostOne() throws {
    try FolderUnderTest.with(.real) { folder in
      var journal = try JournalUnderTest(Counters())
      try journal.change { try $0.set(1, to: 1) }
      try journal.change { try $0.set(2, to: 2) }
      try journal.change { $0.left.remove(2) }
      folder["store.json"] = journal.file
      let lines = journal.lines
      folder[".store.json.journal"] = Array((lines[0...1] + lines[3...]).map { $0 + "\n" }.joined().utf8)
      let typed = try Salvaged<Counters>(ofFileAt: folder.url("store.json"))
      #expect(typed.value.left.map(\.id) == [1])
      #expect(typed.losses.map(\.code) == [.damagedJournal])
      let untyped = try Salvaged<UntypedModel>(ofFileAt: folder.url("store.json"))
      #expect(untyped.tables.map(\.count) == [1, 0])
      #expect(untyped.losses.count == 2 && untyped.losses.last?.reason.hasPrefix("1 line of") == true)
    }
  }

  /// The sums of the line are right, and what it says is not.
  @Test func aLineThatBreaksTheRulesIsLostWithThoseBehindIt() throws {
    let (disk, _) = try JournalStoreTests.abandoned()
    let journal = try Journal(try #require(disk[JournalStoreTests.journalPath]), limits: ReadLimits())
    let bad = journalLine(
      #"{"n":4,"after":\#(journal.end.sum),"date":"2025-01-01T00:00:00Z","put":{"left":[]},"wrong":{}"#)
    disk.overwrite(JournalStoreTests.journalPath) { $0 = Array($0.prefix { $0 != 0 }) + bad }
    try expectRefusal(.damagedJournal, Counters.self, disk)
    let store = try open(Counters.self, disk, recovery: .generations)
    #expect(store.snapshot().value.left.map(\.id) == [1, 2, 3])
    #expect(store.openReport?.journal?.changes == 3)
    #expect(store.openReport?.journal?.lostLines == 1)
    #expect(store.openReport?.journal?.kept.count == 1)
    #expect(store.openReport?.source == .file)
  }
}

/// A file that someone else replaced, without the version on which the journal stands: dates and tombstones decide.
struct JournalWithoutBaseTests {
  private static let path = "/dir/store.json"

  /// A disk with a journal of changes, and with another file.
  private func disk(
    _ before: Press, theirs: (inout Press) throws -> Void, _ change: @escaping (inout Press) throws -> Void
  ) throws -> InMemoryFileSystem {
    let test = StoreUnderTest()
    test.bytes = try SnapshotFile.encode(before, as: .json)
    let store = try test.open(Press.self, .journaled())
    try store.write(change)
    try store.flushAndWait()
    let disk = test.fileSystem.copyOfFiles()
    var other = before
    try theirs(&other)
    disk[Self.path] = try SnapshotFile.encode(other, as: .json)
    return disk
  }

  private func open(_ disk: InMemoryFileSystem) throws -> Store<Press> {
    try Store<Press>.open(
      at: URL(fileURLWithPath: Self.path), options: .journaled(), fileSystem: disk, scheduler: ManualScheduler())
  }

  private var before: Press {
    get throws {
      try Press(articles: [PressArticle(id: 1, text: "one"), PressArticle(id: 2, text: "two"), PressArticle(id: 3)])
    }
  }

  @Test func theLaterChangeWins() {
    each([(4, 5), (5, 4)]) { (days: (Int, Int)) throws in
      let disk = try disk(before) { press in
        try press.articles.update(1) { ($0.text, $0.changed) = ("theirs", .day(days.1)) }
      } _: { press in
        try press.articles.update(1) { ($0.text, $0.changed) = ("ours", .day(days.0)) }
      }
      let store = try open(disk)
      #expect(store.read { $0.articles[1]?.text } == (days.0 > days.1 ? "ours" : "theirs"))
      #expect(store.openReport?.journal?.outcome?.conflicts == [])
      #expect(store.snapshot().value.allViolations() == [])
    }
  }

  @Test func withoutDatesTheConflictIsNamed() throws {
    let disk = try disk(before) { press in
      try press.labels.insert(PressLabel(id: "a", name: "theirs"))
    } _: { press in
      try press.labels.insert(PressLabel(id: "a", name: "ours"))
    }
    let store = try open(disk)
    #expect(store.openReport?.journal?.outcome?.conflicts.map(\.properties) == [["name"]])
    #expect(store.openReport?.journal?.kept.count == 2)
  }

  @Test func aRemovalInTheJournalCountsIfATombstoneTellsOfIt() throws {
    let disk = try disk(before) { press in
      try press.articles.update(1) { ($0.text, $0.changed) = ("theirs", .day(2)) }
      try press.articles.update(2) { ($0.text, $0.changed) = ("later", .day(20)) }
    } _: { press in
      press.articles.remove([1, 2])
    }
    let store = try open(disk)
    // The removals are of day 10.
    #expect(store.read { $0.articles.map(\.id) } == [2, 3])
    #expect(store.read { $0.articles[2]?.text } == "later")
    #expect(store.snapshot().value.allViolations() == [])
    try store.closeAndWait()
    #expect(try open(disk).snapshot().value.hasSameRecords(as: store.snapshot().value))
  }

  @Test func aRemovalOfTheirsCountsToo() throws {
    let disk = try disk(before) { press in
      let old = press
      press.articles.remove(1)
      press.updateTombstones(since: old)
    } _: { press in
      try press.articles.update(1) { ($0.text, $0.changed) = ("earlier", .day(5)) }
    }
    #expect(try open(disk).read { $0.articles.map(\.id) } == [2, 3])
  }

  /// The journal has records with keys that the schema does not know.
  @Test func unknownKeysOfTheJournalAreKept() throws {
    let disk = InMemoryFileSystem(directories: ["/dir"])
    let text = #"{"snapshot":{"schema":"counters","version":1},"left":[{"id":1,"value":1,"colour":"red"}]}"#
    let file = try SnapshotFile.encode(
      SnapshotFile.decodeContent(Counters.self, from: Array(text.utf8)), as: .json)
    disk[Self.path] = file
    let options = StoreOptions.journaled()
    let open = {
      try Store<Counters>.open(
        at: URL(fileURLWithPath: Self.path), options: options, fileSystem: disk, scheduler: ManualScheduler())
    }
    var store = try open()
    try store.write { try $0.set(1, to: 2) }
    try store.flushAndWait()
    let journal = try #require(disk[JournalStoreTests.journalPath])
    #expect(String(decoding: journal, as: UTF8.self).contains("colour"))
    try store.closeAndWait()
    disk[JournalStoreTests.journalPath] = journal
    disk[Self.path] = try SnapshotFile.encode(Counters(), as: .json)
    store = try open()
    #expect(store.snapshot().value.left.map(\.value) == [2])
    try store.closeAndWait()
    #expect(String(decoding: try #require(disk[Self.path]), as: UTF8.self).contains("colour"))
  }
}
