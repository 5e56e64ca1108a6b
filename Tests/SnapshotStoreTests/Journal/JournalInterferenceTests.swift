import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Other programs remove or change the journal while a store has it open.
struct JournalInterferenceTests {
  /// What another program does to the journal.
  enum Deed: CaseIterable {
    /// As `git clean` does.
    case remove
    case empty
    /// The last line is cut off.
    case cut
    /// A line is added in place.
    case append
    /// A byte is changed in place.
    case edit
    /// A byte is changed in place after the journal was only read once, as followers of the journal do.
    case readAndEdit
    /// Something is written in place into the space behind the lines.
    case scribble
    /// An editor replaces the file.
    case replace
    /// A sync service replaces it by a copy.
    case copy
  }

  private let test = StoreUnderTest()
  private var disk: InMemoryFileSystem { test.fileSystem }

  /// A store with two changes in its journal.
  private func begun() throws -> Store<Counters> {
    let store = try test.open(Counters.self, .journaled())
    for value in 1...2 {
      try store.write { try $0.set(value, to: value) }
      try store.flushAndWait()
    }
    return store
  }

  /// Opens the journal as another program does, writes a byte unless there is none, and closes it.
  private func use(writing byte: Character?, at offset: Int = 0) throws {
    let folder = try disk.openDirectory("/dir")
    let file = try disk.openLockFile(".store.json.journal", in: folder)
    if let byte { try disk.writeAll(Array(byte.utf8), to: file, at: offset) }
    disk.close(file)
    disk.close(folder)
  }

  /// - Returns: the bytes that the other program has written; nil if they are those of the store.
  private func interfere(_ deed: Deed, _ store: Store<Counters>) throws -> [UInt8]? {
    let path = JournalStoreTests.journalPath
    let bytes = try #require(test.journal)
    switch deed {
    case .remove: disk[path] = nil
    case .empty: disk.overwrite(path) { $0 = [] }
    case .cut: disk.overwrite(path) { $0 = Array($0.split(separator: 0x0A)[..<2].joined(separator: [0x0A])) + [0x0A] }
    case .append: disk.overwrite(path) { $0 = bytes + Array("x\n".utf8) }
    case .edit: try use(writing: "x")
    case .readAndEdit:
      try use(writing: nil)
      try store.write { try $0.set(9, to: 9) }
      try store.flushAndWait()
      #expect(store.status.folds == 0)
      try use(writing: "x")
    case .scribble: try use(writing: "x", at: bytes.count + 10)
    case .replace: disk[path] = bytes + Array("x\n".utf8)
    case .copy: disk[path] = bytes
    }
    return deed == .copy ? nil : disk[path]
  }

  @Test func whatIsSavedAfterwardsIsReadByOthers() {
    each(Deed.allCases, [true, false]) { (deed: Deed, tellsOfUse: Bool) throws in
      let world = JournalInterferenceTests()
      world.disk.setTellsOfUse(tellsOfUse)
      let store = try world.begun()
      let foreign = try world.interfere(deed, store)
      for value in 3...4 {
        try store.write { try $0.set(value, to: value) }
        try store.flushAndWait()
        #expect(try world.test.reread() == store.snapshot().value)
      }
      #expect(foreign.map { world.disk.contents.values.contains($0) } ?? true, "the other version is gone")
      // The process is killed.
      let after = world.disk.copyOfFiles()
      let again = try Store<Counters>.open(
        at: URL(fileURLWithPath: world.test.path), options: .journaled(), fileSystem: after,
        scheduler: ManualScheduler())
      #expect(again.snapshot().value == store.snapshot().value)
      #expect(again.openReport?.journal?.outcome == nil)
      try store.closeAndWait()
      #expect(world.test.journal == nil)
      #expect(try world.test.stored() == store.snapshot().value)
      #expect(world.test.openCount == 0)
    }
  }

  @Test func closingPutsEverythingIntoTheFile() {
    each(Deed.allCases, [false, true]) { (deed: Deed, isRead: Bool) throws in
      // The next save folds a journal that was found.
      if isRead, deed == .readAndEdit { return }
      let world = JournalInterferenceTests()
      var store = try world.begun()
      if isRead {
        // The journal was found by the store, and not made by it.
        let after = world.disk.copyOfFiles()
        try store.closeAndWait()
        for (path, bytes) in after.contents { world.disk[path] = bytes }
        store = try world.test.open(Counters.self, .journaled())
      }
      let foreign = try world.interfere(deed, store)
      let value = store.snapshot().value
      try store.closeAndWait()
      #expect(world.test.journal == nil)
      #expect(try world.test.stored() == value)
      #expect(foreign.map { world.disk.contents.values.contains($0) } ?? true, "the other version is gone")
      #expect(try world.test.open(Counters.self, .journaled()).snapshot().value == value)
    }
  }

  @Test func aChangedJournalThatIsKeptIsLogged() throws {
    let log = Mutex<[String]>([])
    var options = StoreOptions.journaled()
    options.log = { line in log.withLock { $0.append(line) } }
    let store = try test.open(Counters.self, options)
    try store.write { try $0.set(1, to: 1) }
    try store.flushAndWait()
    let foreign = try interfere(.replace, store)
    try store.write { try $0.set(2, to: 2) }
    try store.flushAndWait()
    let kept = try #require(disk.contents.first { $0.value == foreign && !$0.key.hasSuffix(".json.journal") }).key
    #expect(log.withLock { $0.contains { $0.contains("Its journal was changed by another program") } })
    #expect(log.withLock { $0.contains { $0.contains(kept) } })
  }

  @Test func aFolderInPlaceOfTheJournalDoesNotStopSaves() throws {
    let store = try test.open(Counters.self, .journaled())
    disk.injectFault { $0.name == "renameat" && $0.target.hasSuffix(".journal") ? EISDIR : nil }
    try store.write { try $0.set(1, to: 1) }
    try store.flushAndWait()
    #expect(try test.stored() == store.snapshot().value)
  }

  /// A journal that another program puts there, such as a sync service, may have changes that nobody else has.
  @Test func aJournalOfAnotherProgramIsNotReplaced() throws {
    let (other, value) = try JournalStoreTests.abandoned()
    let journal = try #require(other[JournalStoreTests.journalPath])
    let store = try test.open(Counters.self, .journaled())
    disk[JournalStoreTests.journalPath] = journal
    try store.write { try $0.set(10, to: 10) }
    try store.flushAndWait()
    try store.closeAndWait()
    #expect(disk.contents.values.contains(journal))
    let again = try test.open(Counters.self, .journaled())
    #expect(again.snapshot().value.left.map(\.id) == value.left.map(\.id) + [10])
  }

  @Test func changesThatAreTakenBackStayTakenBackIfTheJournalCannotBeRemoved() throws {
    let store = try begun()
    disk.injectFault { $0.name == "unlinkat" && $0.target.hasSuffix(".journal") ? EACCES : nil }
    try store.write { counters in
      counters.left.remove(1)
      counters.left.remove(2)
    }
    try store.closeAndWait()
    disk.injectFault(nil)
    #expect(try test.reread() == Counters())
    #expect(try test.open(Counters.self, .journaled()).snapshot().value == Counters())
  }

  @Test func contentThatWasTakenOverStaysIfTheJournalCannotBeRemoved() throws {
    var options = StoreOptions.journaled()
    options.externalChanges = .reload
    let store = try test.open(Counters.self, options)
    try store.write { try $0.set(1, to: 1) }
    try store.flushAndWait()
    var theirs = Counters()
    try theirs.set(10, to: 10)
    test.bytes = try SnapshotFile.encode(theirs, as: .json)
    disk.injectFault { $0.name == "unlinkat" && $0.target.hasSuffix(".journal") ? EACCES : nil }
    store.checkFileAndWait()
    disk.injectFault(nil)
    #expect(try test.reread() == theirs)
  }

  /// Nobody can be asked any more. It put aside one copy after the other, until the disk was full.
  @Test func aStoreThatIsDeallocatedPutsOneCopyAside() throws {
    var store: Store<Counters>? = try test.open(Counters.self, .journaled(.automatic()))
    try store?.write { try $0.set(1, to: 1) }
    test.scheduler.advance(by: .seconds(1))
    #expect(test.journal != nil)
    var theirs: Counters = try test.stored()
    try theirs.set(10, to: 10)
    test.bytes = try SnapshotFile.encode(theirs, as: .json)
    let count = CopyCount()
    disk.injectFault { call in
      // Ends the loop of a store that goes on.
      call.name == "create" && call.target.contains(".unsaved-") && count.next() > 3 ? ENOSPC : nil
    }
    store = nil
    test.scheduler.advance(by: .seconds(60))
    disk.injectFault(nil)
    #expect(test.paths.count { $0.contains(".unsaved-") } == 1)
    #expect(disk.lockCount == 0)
    // The journal is merged with the other program's file.
    let again = try test.open(Counters.self, .journaled())
    #expect(again.snapshot().value.left.map(\.id) == [1, 10])
    try again.closeAndWait()
  }

  /// The other program may not have synced its copy. Nothing may stand on it alone.
  @Test func aFileThatWasReplacedByItsCopyIsWrittenAgain() throws {
    let store = try begun()
    test.bytes = test.bytes
    try store.write { try $0.set(3, to: 3) }
    try store.flushAndWait()
    #expect(test.journal == nil)
    #expect(try test.stored() == store.snapshot().value)
  }

  @Test func anOpeningThatFailsLeavesTheJournalInItsPlace() throws {
    let (disk, value) = try JournalStoreTests.abandoned()
    let (file, journal) = (disk["/dir/store.json"], disk[JournalStoreTests.journalPath])
    disk["/dir/store.json"] = nil
    var options = StoreOptions.journaled()
    options.createsFile = false
    let open = {
      try Store<Counters>.open(
        at: URL(fileURLWithPath: "/dir/store.json"), options: options, fileSystem: disk, scheduler: ManualScheduler())
    }
    #expect { try open() } throws: { ($0 as? SnapshotError)?.code == .fileNotFound }
    let update = {
      try Store<Counters>.update(
        at: URL(fileURLWithPath: "/dir/store.json"), options: StoreOptions(), waitingAtMost: .zero, fileSystem: disk,
        scheduler: ManualScheduler()
      ) { _ in throw CancellationError() }
    }
    #expect(throws: CancellationError.self) { try update() }
    #expect(disk[JournalStoreTests.journalPath] == journal)
    // The file is back, as after a checkout by git.
    disk["/dir/store.json"] = file
    #expect(try open().snapshot().value == value)
  }

  @Test func aJournalDoesNotGrowBeyondTheLimitOfItsReader() throws {
    var options = StoreOptions.journaled()
    options.limits = ReadLimits(fileSize: 2_000)
    let store = try test.open(Counters.self, options)
    for value in 1...40 {
      try store.write { try $0.set(1, to: value) }
      try store.flushAndWait()
      #expect(test.journal?.count ?? 0 <= 2_000)
    }
    let after = disk.copyOfFiles()
    let again = try Store<Counters>.open(
      at: URL(fileURLWithPath: test.path), options: options, fileSystem: after, scheduler: ManualScheduler())
    #expect(again.snapshot().value == store.snapshot().value)
  }
}

private final class CopyCount: Sendable {
  private let count = Atomic(0)

  func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).newValue }
}
