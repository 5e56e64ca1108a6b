import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Migrations in stores and of whole files: written files, kept files, reports; defaults; newer files.
struct MigrationStoreTests {
  private static func old(_ format: FileFormat = .json) throws -> [UInt8] {
    try SnapshotFile.encode(try Library.V1.random(seed: 3, count: 5), as: format)
  }

  private static func world(_ bytes: [UInt8]) -> StoreUnderTest {
    let test = StoreUnderTest()
    test.bytes = bytes
    return test
  }

  private static let names = Library.migrations.map(\.name)

  @Test func openingWritesNothing() throws {
    let test = Self.world(try Self.old())
    for policy in [SavePolicy.readOnly, .automatic()] {
      let store = try test.open(Library.Today.self, policy)
      #expect(store.openReport?.migration == OpenReport.Migration(from: 1, to: 4, steps: Self.names))
      #expect(store.openReport?.source == .file)
      try store.closeAndWait()
      #expect(try test.bytes == Self.old())
      #expect(try test.generations.isEmpty)
    }
  }

  // A journal of the new version beside a file of the old one could not be read by anyone.
  @Test func noJournalBeginsBesideTheOldFile() throws {
    let test = Self.world(try Self.old())
    let store = try test.open(Library.Today.self, .journaled())
    try store.write { try $0.loans.insert(Library.Loan(id: 1_000_000, title: "", borrower: "")) }
    test.fileSystem.injectFault { $0.name == "renameat" && $0.target == "store.json" ? ENOSPC : nil }
    for _ in 1...2 {
      #expect(throws: SnapshotError.self) { try store.flushAndWait() }
      #expect(try test.bytes == Self.old())
      #expect(test.journal == nil)
    }
    test.fileSystem.injectFault(nil)
    try store.flushAndWait()
    #expect(try test.stored(Library.Today.self).loans[1_000_000] != nil)
    #expect(try test.generations.count == 1)
    try store.closeAndWait()
  }

  // The old file is kept although another was kept a second ago. A save that cannot keep it fails.
  @Test func theFirstSaveKeepsTheOldFile() throws {
    let test = Self.world(try SnapshotFile.encode(Library.Today(), as: .json))
    let first = try test.open(Library.Today.self, .manual)
    try first.write { try $0.loans.insert(Library.Loan(id: 1, title: "", borrower: "")) }
    try first.closeAndWait()
    #expect(try test.generations.count == 1)
    test.bytes = try Self.old()
    let store = try test.open(Library.Today.self, .manual)
    try store.write { try $0.loans.insert(Library.Loan(id: 1_000_000, title: "", borrower: "")) }
    test.fileSystem.injectFault { $0.name == "linkat" ? ENOSPC : nil }
    #expect(throws: SnapshotError.self) { try store.flushAndWait() }
    #expect(try test.bytes == Self.old())
    test.fileSystem.injectFault { $0.name == "renameat" ? ENOSPC : nil }
    #expect(throws: SnapshotError.self) { try store.flushAndWait() }
    #expect(try test.bytes == Self.old())
    test.fileSystem.injectFault(nil)
    try store.flushAndWait()
    try store.write { $0.loans.remove(1_000_000) }
    try store.closeAndWait()
    let kept = try test.generations
    #expect(kept.count == 2)
    let path = "/dir/.store.json.generations/\(try #require(kept.first).url.lastPathComponent)"
    #expect(try test.fileSystem[path] == Self.old())
    // It can be opened, and put back.
    #expect(
      try SnapshotFile.restore(
        try #require(kept.first), as: Library.Today.self, at: test.path, limits: ReadLimits(), on: test.fileSystem,
        date: test.scheduler.date) == nil)
    #expect(try test.bytes == Self.old())
  }

  @Test func shortSessionsAndRecoveryMigrate() throws {
    let test = Self.world(try Self.old())
    let count = try Store<Library.Today>.update(
      at: URL(fileURLWithPath: test.path), options: StoreOptions(), waitingAtMost: .zero, fileSystem: test.fileSystem,
      scheduler: test.scheduler
    ) { library in
      library.loans = Table()
      return library.volumes.count
    }
    #expect(count > 0)
    #expect(try test.stored(Library.Today.self).volumes.count == count)
    test.bytes = Array("{".utf8)
    var options = StoreOptions(policy: .manual)
    options.recovery = .generations
    let store = try test.open(Library.Today.self, options)
    #expect(store.openReport?.migration?.from == 1)
    #expect(store.read { $0.volumes.count } == count)
    try store.closeAndWait()
  }

  @Test func aFileThatSomeoneElseWritesMigratesToo() async throws {
    let test = Self.world(try SnapshotFile.encode(Library.Today(), as: .json))
    var options = StoreOptions(policy: .manual)
    options.externalChanges = .reload
    let store = try test.open(Library.Today.self, options)
    test.bytes = try Self.old()
    guard case .reloaded(nil)? = await store.checkFile() else { return #expect(Bool(false)) }
    let count = store.read { $0.volumes.count }
    #expect(count > 0)
    try store.write { $0.loans = Table() }
    try store.write { try $0.loans.upsert(Library.Loan(id: 1, title: "", borrower: "")) }
    try store.closeAndWait()
    #expect(try test.stored(Library.Today.self).volumes.count == count)
    let kept = try test.generations.map { test.fileSystem["/dir/.store.json.generations/\($0.url.lastPathComponent)"] }
    #expect(try kept.contains(Self.old()))
  }

  // MARK: Whole files

  @Test func filesMigrateInPlace() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let test = Self.world(try Self.old(format))
      var options = StoreFileOptions(fileSystem: test.fileSystem)
      options.isReadOnly = true
      let expected = OpenReport.Migration(from: 1, to: 4, steps: Self.names)
      #expect(try SnapshotFile.migrate(Library.Today.self, at: test.path, options) == expected)
      #expect(try test.bytes == Self.old(format) && test.paths == [test.path])
      options.isReadOnly = false
      #expect(try SnapshotFile.migrate(Library.Today.self, at: test.path, options) == expected)
      #expect(try SnapshotSummary(of: try #require(test.bytes)).version == 4)
      #expect(try SnapshotSummary(of: try #require(test.bytes)).format == format)
      #expect(try test.generations.count == 1)
      let now = test.bytes
      #expect(try SnapshotFile.migrate(Library.Today.self, at: test.path, options) == nil)
      #expect(test.bytes == now)
      #expect(try test.generations.count == 1)
      #expect(test.openCount == 0)
      #expect(throws: SnapshotError.self) { try SnapshotFile.migrate(Library.Today.self, at: "/dir/none", options) }
    }
  }

  @Test func onARealDisk() throws {
    let folder = try TemporaryFolder()
    let url = folder.url("library.json")
    try SnapshotFile.create(try Self.old(), at: url)
    #expect(try SnapshotFile.migrate(Library.Today.self, at: url, dryRun: true)?.steps == Self.names)
    #expect(try SnapshotFile.readBytes(at: url) == Self.old())
    #expect(try SnapshotFile.migrate(Library.Today.self, at: url)?.from == 1)
    #expect(try SnapshotFile.generations(of: url).count == 1)
    #expect(try SnapshotFile.migrate(Library.Today.self, at: url) == nil)
  }

  // MARK: Defaults

  // Only where decoding would fail: an optional property stays nil.
  @Test func defaultsFillWhatIsMissing() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      struct Bare: Record {
        let id: Int64
        var on: Bool?
        var size: Int?
      }
      struct Bares: Model {
        var things = Table<Bare>()
        static let schema = Schema<Bares>("things", version: 1, Field("things", \.things))
      }
      struct Thing: Record {
        let id: Int64
        var on: Bool
        var names: [String]
        var size: Int?
      }
      struct Things: Model {
        var things = Table<Thing>()
        static let schema = Schema<Things>(
          "things", version: 1,
          Field("things", \.things),
          defaults: [
            DefaultValue("things", "on", true), DefaultValue("things", "names", ["a"]),
            DefaultValue("things", "size", 5),
          ])
      }
      var bares = Bares()
      for id in Int64(0)..<2000 { try bares.things.insert(Bare(id: id, on: id % 2 == 0 ? false : nil)) }
      let things = try SnapshotFile.decode(Things.self, from: SnapshotFile.encode(bares, as: format))
      #expect(things.things[0] == Thing(id: 0, on: false, names: ["a"]))
      #expect(things.things[1] == Thing(id: 1, on: true, names: ["a"]))
      #expect(things.things.count == 2000)
    }
  }

  // MARK: Newer files

  private static let newer = """
    {"snapshot":{"schema":"counters","version":7},
    "left":[{"id":1,"value":1,"color":"red"}],
    "later":[{"x":1}]}
    """

  @Test(arguments: [SavePolicy.automatic(), .readOnly]) func aNewerFileIsReadOnRequest(_ policy: SavePolicy) throws {
    let test = Self.world(Array(Self.newer.utf8))
    var options = StoreOptions(policy: policy)
    options.fallsBackToReadOnly = true
    let error = #expect(throws: SnapshotError.self) { try test.open(Counters.self, options) }
    #expect(error?.code == .newerVersion)
    options.readsNewerVersions = true
    let store = try test.open(Counters.self, options)
    let report = try #require(store.openReport)
    #expect(report.newerVersion == 7)
    #expect(report.readOnlyReason?.code == (policy == .readOnly ? nil : .newerVersion))
    #expect(report.unknownKeys.map(\.description) == ["left.color, in 1 record", "the table later, with 1 record"])
    #expect(store.read { $0.left[1]?.value } == 1)
    let refusal = #expect(throws: SnapshotError.self) { try store.write { try $0.set(1, to: 2) } }
    #expect(refusal?.code == .readOnly)
    try store.closeAndWait()
    #expect(test.bytes == Array(Self.newer.utf8))
    #expect(throws: SnapshotError.self) { try SnapshotFile.decode(Counters.self, from: Array(Self.newer.utf8)) }
  }

  /// The newer program.
  private struct LaterCounters: Model {
    var left = Table<Counter>()
    var later = Table<Counter>()
    static let schema = Schema<LaterCounters>(
      "counters", version: 2,
      Field("left", \.left),
      Field("later", \.later),
      migrations: [Migration("later", to: 2) { _ in }])
  }

  @Test func aNewerFileThatTheNewerProgramHasOpen() throws {
    let test = StoreUnderTest()
    let newer = try test.open(LaterCounters.self, .manual)
    try newer.write { try $0.left.insert(Counter(id: 1, value: 7)) }
    try newer.flushAndWait()
    var options = StoreOptions(policy: .manual)
    expectRefusal(.locked) { _ = try test.open(Counters.self, options) }
    options.readsNewerVersions = true
    let store = try test.open(Counters.self, options)
    #expect(store.openReport?.newerVersion == 2)
    #expect(store.openReport?.readOnlyReason?.code == .newerVersion)
    #expect(store.read { $0.left[1]?.value } == 7)
    expectRefusal(.readOnly) { try store.write { try $0.set(1, to: 2) } }
    try store.closeAndWait()
    // A file that is not newer is treated differently, and so is one of another schema.
    expectRefusal(.locked) { _ = try test.open(LaterCounters.self, options) }
    expectRefusal(.locked) { _ = try test.open(Library.Today.self, options) }
    try newer.closeAndWait()
    #expect(test.openCount == 0)
  }

  // A required value must exist: nothing is made up.
  @Test func aNewerFileWithoutWhatIsNeededIsRefused() throws {
    let test = Self.world(Array(Self.newer.replacing("\"value\"", with: "\"amount\"").utf8))
    var options = StoreOptions(policy: .readOnly)
    options.readsNewerVersions = true
    let error = #expect(throws: SnapshotError.self) { try test.open(Counters.self, options) }
    #expect(error?.code == .missingKey)
  }

  @Test func whatIsNestedIsLeftOutOfANewerFileToo() throws {
    struct Point: Codable, Equatable, Sendable { var x: Int }
    struct Thing: Record {
      let id: Int
      var points: [Point]
    }
    struct Things: Model {
      var things = Table<Thing>()
      static let schema = Schema<Things>("things", version: 1, Field("things", \.things))
    }
    let text = #"{"snapshot":{"schema":"things","version":V},"things":[{"id":1,"points":[{"x":1,"y":2}]}]}"#
    let test = Self.world(Array(text.replacing("V", with: "2").utf8))
    var options = StoreOptions(policy: .readOnly)
    options.readsNewerVersions = true
    let store = try test.open(Things.self, options)
    #expect(store.read { $0.things[1]?.points } == [Point(x: 1)])
    #expect(store.openReport?.unknownKeys.count == 1)
    // With its own version the file could be opened for writing, so it is refused.
    test.bytes = Array(text.replacing("V", with: "1").utf8)
    #expect(throws: SnapshotError.self) { try test.open(Things.self, options) }
  }
}
