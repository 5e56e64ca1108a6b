import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Several stores have one file open and save to it.
final class SharedStoreTests: Sendable {
  private let test = StoreUnderTest(savesAtOnce: false)
  private let reports = SmallLock<[ExternalChange]>([])

  private func options(_ journal: JournalPolicy, _ policy: SavePolicy = .manual) -> StoreOptions {
    var options = StoreOptions(policy: policy, access: .shared, journal: journal)
    options.log = { _ in }
    options.onExternalChange = { [weak self] change in self?.reports.withLock { $0.append(change) } }
    return options
  }

  private func open(_ journal: JournalPolicy = .beside(), _ policy: SavePolicy = .manual) throws -> Store<Counters> {
    let store = try test.open(Counters.self, options(journal, policy))
    settle()
    return store
  }

  private func settle() { test.settle() }

  private func save(_ store: Store<Counters>, folding: Bool = false) throws {
    try test.save(store, folding: folding)
  }

  private func close(_ store: Store<Counters>) throws {
    try save(store, folding: true)
    try store.closeAndWait()
  }

  @Test func eachStoreHasTheChangesOfTheOther() {
    each([JournalPolicy.beside(), .none]) { (journal: JournalPolicy) throws in
      let world = SharedStoreTests()
      let (a, b) = (try world.open(journal), try world.open(journal))
      try a.write { try $0.set(1, to: 1) }
      try world.save(a)
      #expect(b.read { $0.left[1]?.value } == 1)
      try b.write { try $0.set(2, to: 2) }
      try world.save(b)
      #expect(a.read { $0.left[2]?.value } == 2)
      try a.write { try $0.set(1, to: 3) }
      try world.save(a)
      #expect(b.read { $0 } == a.read { $0 })
      #expect(b.durableRevision == b.revision)
      #expect(world.reports.withLock { $0.isEmpty })
      try world.close(a)
      try world.close(b)
      #expect(try world.test.stored() == b.read { $0 })
      #expect(world.test.paths == ["/dir/store.json"])
    }
  }

  @Test func whatIsUnsavedStaysOnTop() {
    each([JournalPolicy.beside(), .none]) { (journal: JournalPolicy) throws in
      let world = SharedStoreTests()
      let (a, b) = (try world.open(journal), try world.open(journal))
      try b.write { try $0.set(2, to: 2) }
      try a.write { try $0.set(1, to: 1) }
      try world.save(a)
      #expect(b.read { $0.left.map(\.value) } == [1, 2])
      #expect(b.status.isDirty)
      #expect(a.read { $0.left.map(\.value) } == [1])
      try world.save(b)
      #expect(a.read { $0.left.map(\.value) } == [1, 2])
      #expect(!b.status.isDirty)
    }
  }

  @Test func aFoldByOneIsFollowedByAll() throws {
    let (a, b) = (try open(), try open())
    try a.write { try $0.set(1, to: 1) }
    try save(a)
    try b.write { try $0.set(2, to: 2) }
    let before = test.fileSystem.calls.count
    try save(b, folding: true)
    #expect(test.changes == 0)
    #expect(!a.status.isDirty)
    // The journal did not have the change.
    #expect(test.fileSystem.calls[before...].contains { $0.name == "read" })
    try a.write { try $0.set(3, to: 3) }
    try save(a)
    #expect(b.read { $0.left.map(\.value) } == [1, 2, 3])
    #expect(test.journal != nil)
  }

  @Test func anotherProcessCanOpenTheFileMeanwhile() throws {
    let a = try open()
    let url = URL(fileURLWithPath: test.path)
    try a.write { try $0.set(1, to: 1) }
    try save(a)
    try Store<Counters>.update(
      at: url, options: StoreOptions(), waitingAtMost: .zero, fileSystem: test.fileSystem,
      scheduler: ManualScheduler()
    ) { try $0.set(2, to: 2) }
    settle()
    #expect(a.read { $0.left.map(\.value) } == [1, 2])
    #expect(reports.withLock { $0.isEmpty })
  }

  @Test func aStoreBehindAnExclusiveOneSavesWhenThatIsGone() throws {
    let first = try open()
    try close(first)
    var alone = options(.none)
    alone.access = .exclusive
    let holder = try test.open(Counters.self, alone)
    settle()
    let a = try open()
    try a.write { try $0.set(1, to: 1) }
    let error = try #require(throws: SnapshotError.self) { try save(a) }
    #expect(error.code == .locked)
    try holder.write { try $0.set(2, to: 2) }
    try close(holder)
    test.scheduler.advance(by: .seconds(60))
    settle()
    try save(a)
    #expect(a.read { $0.left.map(\.value) } == [1, 2])
    try close(a)
    #expect(try test.stored().left.map(\.value) == [1, 2])
  }

  /// A store that is opened without the lock has the lines of the holder's journal. They belong to the base of its
  /// first merge.
  @Test func whatWasReadBehindAnExclusiveStoreIsTheBase() throws {
    var alone = options(.beside())
    alone.access = .exclusive
    let holder = try test.open(Counters.self, alone)
    for value in 1...2 {
      try holder.write { try $0.set(1, to: value) }
      try save(holder)
    }
    let a = try open()
    #expect(a.read { $0.left[1]?.value } == 2)
    try a.write { try $0.set(2, to: 2) }
    try holder.write { try $0.set(1, to: 3) }
    try save(holder)
    try close(holder)
    test.scheduler.advance(by: .seconds(60))
    settle()
    try save(a)
    #expect(a.read { $0.left.map(\.value) } == [3, 2])
    #expect(reports.withLock { $0.isEmpty })
    try close(a)
    #expect(try test.stored().left.map(\.value) == [3, 2])
  }

  @Test func bothChangedOneProperty() throws {
    let (a, b) = (try open(), try open())
    try a.write { try $0.set(1, to: 1) }
    try save(a)
    try a.write { try $0.set(1, to: 2) }
    try b.write { try $0.set(1, to: 3) }
    try save(a)
    guard case .merged(let outcome, let kept?)? = reports.withLock({ $0.first }) else {
      Issue.record("\(reports.withLock { $0 })")
      return
    }
    #expect(outcome.conflicts.map(\.place) == ["left 1, value"])
    #expect(try SnapshotFile.decode(Counters.self, from: #require(test.fileSystem[kept])).left[1]?.value == 2)
    try save(b)
    #expect(a.read { $0.left[1]?.value } == 3)
    #expect(reports.withLock { $0.count } == 1)
  }

  @Test func aFoldIsFollowedWithoutReadingTheFile() throws {
    let (a, b) = (try open(), try open())
    try a.write { try $0.set(1, to: 1) }
    try save(a)
    try b.write { try $0.set(2, to: 2) }
    try save(b)
    let before = test.fileSystem.calls.count
    try save(b, folding: true)
    #expect(a.read { $0.left.map(\.value) } == [1, 2])
    // The journal is read.
    #expect(test.fileSystem.calls[before...].count { $0.name == "read" } <= 1)
    try a.write { try $0.set(3, to: 3) }
    try save(a)
    #expect(b.read { $0.left.map(\.value) } == [1, 2, 3])
  }

  @Test func theLastOneFolds() throws {
    let (a, b) = (try open(), try open())
    try a.write { try $0.set(1, to: 1) }
    try save(a)
    try a.closeAndWait()
    #expect(test.journal != nil)
    settle()
    try save(b)
    try close(b)
    #expect(test.paths == ["/dir/store.json"])
    #expect(try test.stored().left.map(\.value) == [1])
  }

  @Test func aSessionBesideOpenStoresAppendsALine() throws {
    let a = try open()
    try a.write { try $0.set(1, to: 1) }
    try save(a)
    let file = test.bytes
    try Store<Counters>.update(
      at: URL(fileURLWithPath: test.path), options: StoreOptions(), waitingAtMost: .zero, fileSystem: test.fileSystem,
      scheduler: ManualScheduler()
    ) { try $0.set(2, to: 2) }
    #expect(test.bytes == file)
    settle()
    #expect(a.read { $0.left.map(\.value) } == [1, 2])
    #expect(reports.withLock { $0.isEmpty })
  }

  @Test func theLockFileStaysWithTheStoresThatShareIt() throws {
    let a = try open()
    let b = try open()
    let users = { () -> [String] in
      let lines = String(decoding: self.test.fileSystem["/dir/.store.json.lock"] ?? [], as: UTF8.self)
      return lines.split(separator: "\n").filter { $0.hasPrefix("Open: ") }.map(String.init)
    }
    #expect(users().count == 2)
    #expect(users().allSatisfy { $0.contains("(process \(ProcessInfo.processInfo.processIdentifier)) since 20") })
    try close(a)
    #expect(users().count == 1)
    let c = try open()
    #expect(users().count == 2)
    try close(c)
    try close(b)
    #expect(test.fileSystem.paths == ["/dir/store.json"])
  }

  @Test func aProcessThatWasKilledIsNotCounted() throws {
    try close(try open())
    let a = try open()
    test.fileSystem.overwrite("/dir/.store.json.lock") { bytes in
      bytes += LockText.line("Open: killed (process 99999999) since 2026-11-24T07:40:00Z, shared")
    }
    try close(a)
    #expect(test.fileSystem.paths == ["/dir/store.json"])
  }

  /// The journal stays beside the new file until it is folded. It must not keep the stores from saving.
  @Test func aFileThatAnotherProgramReplacesIsMergedBesideAJournal() throws {
    let (a, b) = (try open(), try open())
    try a.write { try $0.set(1, to: 1) }
    try save(a, folding: true)
    let old = try #require(test.bytes)
    try a.write { try $0.set(2, to: 2) }
    try save(a)
    #expect(test.journal != nil)
    // It knows no journal, and changes the older value.
    var theirs = try SnapshotFile.decode(Counters.self, from: old)
    try theirs.set(3, to: 3)
    test.bytes = try SnapshotFile.encode(theirs, as: .json)
    settle()
    #expect(a.read { $0.left.map(\.value) } == [1, 2, 3])
    try b.write { try $0.set(4, to: 4) }
    try save(b)
    try a.write { try $0.set(5, to: 5) }
    try save(a)
    #expect(b.read { $0.left.map(\.value) } == [1, 2, 3, 4, 5])
    try close(b)
    try close(a)
    #expect(try test.stored().left.map(\.value) == [1, 2, 3, 4, 5])
    #expect(test.changes == 0)
  }

  @Test func undoLeavesTheChangesOfOthersAlone() throws {
    let (a, b) = (try open(), try open())
    let undo = UndoHistory(of: a)
    try a.write { try $0.set(1, to: 1) }
    try b.write { try $0.set(2, to: 2) }
    try save(b)
    try save(a)
    try undo.undo()
    #expect(a.read { $0.left.map(\.value) } == [2])
  }
}
