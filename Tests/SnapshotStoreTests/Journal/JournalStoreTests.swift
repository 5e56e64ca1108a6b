import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// A store with a journal: what is in which file at which time.
struct JournalStoreTests {
  static let journalPath = "/dir/.store.json.journal"

  @Test func aSaveAppendsALineAndClosingFolds() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let test = StoreUnderTest()
      let store = try test.open(Counters.self, .journaled(format: format))
      let file = try #require(test.bytes)
      for value in 1...5 {
        try store.write { try $0.set(value, to: value) }
        try store.flushAndWait()
        #expect(store.durableRevision == value)
      }
      #expect(test.bytes == file, "a save has written the file")
      let lines = try #require(test.journal).split(separator: UInt8(ascii: "\n"))
      #expect(lines.count == 6)
      #expect(String(decoding: lines[5], as: UTF8.self).contains(#""put":{"left":[{"id":5,"value":5}]}"#))
      #expect(store.status.saves == 5 && store.status.folds == 0)
      #expect(store.status.journalBytes == test.journal?.count)
      try store.closeAndWait()
      #expect(test.paths == ["/dir/store.json"])
      #expect(try test.stored() == store.snapshot().value)
      #expect(store.status.folds == 1)
      #expect(test.openCount == 0)
    }
  }

  @Test func aStoreThatWasNotClosedIsReadWithItsJournal() {
    each([SavePolicy.manual, .immediate, .readOnly]) { (policy: SavePolicy) throws in
      let (disk, value) = try Self.abandoned()
      var options = StoreOptions.journaled(policy)
      options.journal = .none
      let scheduler = ManualScheduler()
      let store = try Store<Counters>.open(
        at: URL(fileURLWithPath: "/dir/store.json"), options: options, fileSystem: disk, scheduler: scheduler)
      #expect(store.snapshot().value == value)
      #expect(store.openReport?.source == .file)
      #expect(store.openReport?.journal?.changes == 3)
      #expect(store.openReport?.journal?.kept == [])
      try store.closeAndWait()
      #expect((disk[Self.journalPath] == nil) == (policy != .readOnly))
    }
  }

  @Test func aJournalBeyondItsLimitIsFolded() throws {
    let test = StoreUnderTest()
    var options = StoreOptions.journaled()
    options.journal = .beside(size: 1_000, share: 0)
    let store = try test.open(Counters.self, options)
    for value in 1...100 {
      try store.write { try $0.set(value % 7, to: value) }
      try store.flushAndWait()
      #expect(test.journal?.count ?? 0 <= 1_000)
    }
    #expect((3...50).contains(store.status.folds))
  }

  @Test func aLargeChangeIsWrittenToTheFile() throws {
    let test = StoreUnderTest()
    var options = StoreOptions.journaled()
    options.journal = .beside(size: 1_000, share: 0)
    let store = try test.open(Counters.self, options)
    try store.write { for id in 1...1_000 { try $0.set(id, to: id) } }
    try store.flushAndWait()
    #expect(test.journal == nil)
    #expect(try test.stored() == store.snapshot().value)
  }

  @Test func aQuietTimeFolds() throws {
    let test = StoreUnderTest()
    var options = StoreOptions.journaled(.automatic())
    options.journal = .beside(quietTime: .seconds(30))
    let store = try test.open(Counters.self, options)
    try store.write { try $0.set(1, to: 1) }
    test.scheduler.advance(by: .seconds(10))
    #expect(test.journal != nil)
    try store.write { try $0.set(2, to: 1) }
    test.scheduler.advance(by: .seconds(25))
    #expect(test.journal != nil)
    test.scheduler.advance(by: .seconds(10))
    #expect(test.journal == nil)
    #expect(try test.stored() == store.snapshot().value)
    #expect(store.status.folds == 1)
  }

  @Test func aFlushFoldsOnRequest() throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self, .journaled())
    try store.write { try $0.set(1, to: 1) }
    try store.flushAndWait()
    #expect(test.journal != nil)
    try store.flushAndWait(folding: true)
    #expect(test.journal == nil)
    #expect(try test.stored() == store.snapshot().value)
    // Nothing is left to do.
    let calls = test.fileSystem.calls.count
    try store.flushAndWait(folding: true)
    #expect(test.fileSystem.calls.count == calls)
  }

  @Test func changesThatEndWhereTheyBeganLeaveNoJournal() throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self, .journaled())
    try store.write { try $0.set(1, to: 1) }
    try store.flushAndWait()
    try store.write { _ = $0.left.remove(1) }
    try store.flushAndWait()
    try store.closeAndWait()
    #expect(test.paths == ["/dir/store.json"])
    #expect(try test.stored() == Counters())
  }

  @Test func aFullDiskLosesNothing() throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self, .journaled())
    try store.write { try $0.set(1, to: 1) }
    try store.flushAndWait()
    test.setDiskFull(true)
    try store.write { try $0.set(2, to: 2) }
    #expect(throws: SnapshotError.self) { try store.flushAndWait() }
    #expect(throws: SnapshotError.self) { try store.flushAndWait(folding: true) }
    #expect(throws: SnapshotError.self) { try store.closeAndWait() }
    #expect(store.status.lastError?.message.contains("nothing was replaced") == true)
    test.setDiskFull(false)
    try store.write { try $0.set(3, to: 3) }
    try store.flushAndWait()
    #expect(try test.reread() == store.snapshot().value)
    try store.closeAndWait()
    #expect(try test.stored() == store.snapshot().value)
    #expect(test.paths == ["/dir/store.json"])
  }

  @Test func aLineNeedsNoSpaceBehindIt() throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self, .journaled())
    // The first journal is written by `write`, and the space behind it by the `pwrite` that follows.
    let fileSystem = test.fileSystem
    fileSystem.injectFault { call in
      call.name == "pwrite" && fileSystem.calls.dropLast().last?.name == "write" ? ENOSPC : nil
    }
    try store.write { try $0.set(1, to: 1) }
    try store.flushAndWait()
    #expect(test.fileSystem[Self.journalPath]?.contains(0) == false)
    test.fileSystem.injectFault(nil)
    try store.write { try $0.set(2, to: 2) }
    try store.flushAndWait()
    #expect(test.fileSystem[Self.journalPath]?.count == 8192)
    #expect(try test.reread() == store.snapshot().value)
    try store.closeAndWait()
  }

  @Test func aReaderSeesEverySaveOfTheWriter() throws {
    let test = StoreUnderTest()
    var options = StoreOptions.journaled()
    options.journal = .beside(size: 600, share: 0)
    let store = try test.open(Counters.self, options)
    for value in 1...40 {
      try store.write { try $0.set(value % 5, to: value) }
      try store.flushAndWait()
      #expect(try test.reread() == store.snapshot().value)
    }
  }

  @Test func anOpenReaderFollowsTheJournal() throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self, .journaled())
    var options = StoreOptions.journaled(.readOnly)
    options.externalChanges = .reload
    let reader = try test.open(Counters.self, options)
    for value in 1...10 {
      try store.write { try $0.set(value, to: value) }
      try store.flushAndWait(folding: value % 3 == 0)
      reader.checkFileAndWait()
      #expect(reader.snapshot().value == store.snapshot().value)
    }
  }

  /// A disk after a program has saved three changes and was killed, and the value that it had.
  static func abandoned() throws -> (InMemoryFileSystem, Counters) {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self, .journaled())
    for value in 1...3 {
      try store.write { try $0.set(value, to: value) }
      try store.flushAndWait()
    }
    return (test.fileSystem.copyOfFiles(), store.snapshot().value)
  }
}

extension StoreOptions {
  /// Options with a journal, without messages.
  static func journaled(_ policy: SavePolicy = .manual, format: FileFormat? = nil) -> StoreOptions {
    var options = StoreOptions(policy: policy, format: format, journal: .beside())
    options.log = { _ in }
    return options
  }
}

extension StoreUnderTest {
  /// The bytes of the journal beside the file.
  /// The lines of the journal, without the space for further ones.
  /// The number of changes that the file does not have.
  var changes: Int { (try? journal.map { try Journal($0, limits: ReadLimits()).lines.count } ?? 0) ?? -1 }

  var journal: [UInt8]? {
    fileSystem["/dir/.store.json.journal"].map { Array($0.prefix { $0 != 0 }) }
  }

  /// The value that the file and its journal hold, as another process reads it.
  func reread() throws -> Counters {
    let location = try FileLocation(path, on: fileSystem)
    let content = try fileSystem.readJournaled(at: location, limit: .max)
    return try SnapshotFile.decode(from: content.folded(ReadLimits(), path: path))
  }
}
