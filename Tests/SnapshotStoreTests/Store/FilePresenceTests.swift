import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// A version beside the file, as iCloud keeps it.
private final class TestVersion: ConflictVersion {
  let url: URL
  let isResolved = Mutex(false)
  private let fails: Bool

  init(_ path: String, fails: Bool = false) {
    url = URL(filePath: path)
    self.fails = fails
  }

  func resolve() throws {
    if fails { throw CocoaError(.fileWriteUnknown) }
    isResolved.withLock { $0 = true }
  }
}

/// What the file presenter of Apple's systems does, without Apple's systems.
@Suite(.timeLimit(.minutes(30))) struct FilePresenceTests {
  private let test = StoreUnderTest()
  private let changes = Changes()

  private final class Changes: Sendable {
    let all = Mutex<[ExternalChange]>([])
  }

  private func open(_ policy: ExternalChange.Policy, _ save: SavePolicy = .manual) throws -> Store<Counters> {
    var options = StoreOptions(policy: save)
    options.externalChanges = policy
    options.onExternalChange = { [changes] change in changes.all.withLock { $0.append(change) } }
    options.log = { _ in }
    return try test.open(Counters.self, options)
  }

  /// A file that another device has made from the one of the store.
  private func version(_ path: String = "/dir/other.json", change: (inout Counters) throws -> Void) throws
    -> TestVersion
  {
    var value: Counters = try test.stored()
    try change(&value)
    test.fileSystem[path] = try SnapshotFile.encode(value, as: .json)
    return TestVersion(path)
  }

  /// A store with two counters in its file.
  private func begun(_ policy: ExternalChange.Policy) throws -> Store<Counters> {
    let store = try open(policy)
    try store.write { counters in
      // Large numbers, by which the merge finds the base of a version.
      try counters.set(1, to: 10_000_001)
      try counters.set(2, to: 20_000_002)
    }
    try store.flushAndWait()
    return store
  }

  @Test func aVersionIsMergedAndResolvedOnceItIsDurable() throws {
    let store = try begun(.merge)
    let version = try version { try $0.set(1, to: 10_000_010) }
    try store.write { try $0.set(2, to: 20_000_020) }
    FilePresence(of: store).mergeVersions([version])
    #expect(store.read { [$0.left[1]?.value, $0.left[2]?.value] } == [10_000_010, 20_000_020])
    #expect(version.isResolved.withLock { $0 })
    #expect(try test.stored() == store.snapshot().value)
    #expect(store.snapshot().value.allViolations() == [])
    guard case .merged(let outcome, nil)? = changes.all.withLock({ $0.first }) else { return #expect(Bool(false)) }
    #expect(outcome.conflicts == [])
    try store.closeAndWait()
  }

  @Test func theLosingSideIsKeptBesideTheFile() throws {
    let store = try begun(.merge)
    let version = try version { try $0.set(1, to: 10_000_010) }
    try store.write { try $0.set(1, to: 10_000_011) }
    FilePresence(of: store).mergeVersions([version])
    #expect(store.read { $0.left[1]?.value } == 10_000_011)
    guard case .merged(let outcome, let kept?)? = changes.all.withLock({ $0.first }) else {
      return #expect(Bool(false), "\(changes.all.withLock { $0 })")
    }
    #expect(outcome.conflicts.count == 1)
    #expect(test.fileSystem[kept] == test.fileSystem[version.url.path])
    #expect(version.isResolved.withLock { $0 })
    try store.closeAndWait()
  }

  /// The program that waits reads the file alone.
  @Test func changesInAJournalAreWrittenToTheFileBeforeAnotherProgramReadsIt() throws {
    let store = try test.open(Counters.self, .journaled())
    try store.write { try $0.set(1, to: 1) }
    try store.flushAndWait()
    #expect(test.journal != nil)
    #expect(FilePresence(of: store).saveChanges() == nil)
    #expect(try test.stored() == store.snapshot().value)
    #expect(test.journal == nil)
    try store.closeAndWait()
  }

  @Test(arguments: [ExternalChange.Policy.reload, .keepOurs])
  func withoutMergingAVersionIsKeptBesideTheFile(_ policy: ExternalChange.Policy) throws {
    let store = try begun(policy)
    let version = try version { try $0.set(1, to: 10_000_010) }
    FilePresence(of: store).mergeVersions([version])
    guard case .replaced(let kept)? = changes.all.withLock({ $0.first }) else { return #expect(Bool(false)) }
    #expect(test.fileSystem[kept] == test.fileSystem[version.url.path])
    #expect(store.read { $0.left[1]?.value } == 10_000_001)
    #expect(version.isResolved.withLock { $0 })
    try store.closeAndWait()
  }

  @Test func nothingIsDoneIfTheStoreRefusesExternalChanges() throws {
    let store = try begun(.fail)
    let version = try version { try $0.set(1, to: 10_000_010) }
    FilePresence(of: store).mergeVersions([version])
    #expect(!version.isResolved.withLock { $0 })
    #expect(changes.all.withLock { $0.isEmpty })
    try store.closeAndWait()
  }

  /// A version must not disappear before its content is durable elsewhere.
  @Test func aVersionStaysIfTheMergeCannotBeSaved() throws {
    let store = try begun(.merge)
    let version = try version { try $0.set(1, to: 10_000_010) }
    test.setDiskFull(true)
    FilePresence(of: store).mergeVersions([version])
    #expect(!version.isResolved.withLock { $0 })
    test.setDiskFull(false)
    FilePresence(of: store).mergeVersions([version])
    #expect(version.isResolved.withLock { $0 })
    #expect(try test.stored() == store.snapshot().value)
    try store.closeAndWait()
  }

  /// The service names a version again until it is resolved. Others are resolved meanwhile.
  @Test(arguments: [ExternalChange.Policy.merge, .keepOurs])
  func aVersionThatStaysIsKeptOnce(_ policy: ExternalChange.Policy) throws {
    let store = try begun(policy)
    let stays = TestVersion(try version { try $0.set(1, to: 10_000_010) }.url.path, fails: true)
    let other = try version("/dir/third.json") { try $0.set(2, to: 20_000_010) }
    try store.write { try $0.set(1, to: 10_000_011) }
    for versions in [[stays, other], [stays], [stays]] { FilePresence(of: store).mergeVersions(versions) }
    #expect(other.isResolved.withLock { $0 } && !stays.isResolved.withLock { $0 })
    let copies = test.fileSystem.paths.filter { $0.contains(".conflict-") }
    #expect(copies.count(where: { test.fileSystem[$0] == test.fileSystem[stays.url.path] }) == 1, "\(copies)")
    #expect(copies.count == (policy == .merge ? 1 : 2), "\(copies)")
    // A later change is not reverted.
    let second = policy == .merge ? 20_000_010 : 20_000_002
    #expect(store.read { [$0.left[1]?.value, $0.left[2]?.value] } == [10_000_011, second])
    try store.closeAndWait()
  }

  @Test func aVersionThatCannotBeReadStays() throws {
    let store = try begun(.merge)
    let version = try version { try $0.set(1, to: 10_000_010) }
    test.fileSystem[version.url.path] = Array("no snapshot".utf8)
    let missing = TestVersion("/dir/missing.json")
    FilePresence(of: store).mergeVersions([version, missing])
    #expect(!version.isResolved.withLock { $0 } && !missing.isResolved.withLock { $0 })
    let seen = changes.all.withLock { $0 }
    #expect(seen.count == 2)
    for change in seen { if case .unreadable = change {} else { Issue.record("\(change)") } }
    #expect(store.read { $0.left[1]?.value } == 10_000_001)
    try store.closeAndWait()
  }

  @Test func changesAreSavedWhenAnotherProgramWaits() throws {
    let store = try begun(.merge)
    try store.write { try $0.set(1, to: 5) }
    let presence = FilePresence(of: store)
    presence.takeTurns { NoTurn() }
    #expect(presence.saveChanges() == nil)
    #expect(try test.stored() == store.snapshot().value)
    test.setDiskFull(true)
    try store.write { try $0.set(1, to: 6) }
    #expect(presence.saveChanges() is SnapshotError)
    test.setDiskFull(false)
    presence.takeTurns(nil)
    try store.closeAndWait()
    #expect(presence.saveChanges() == nil)
  }

  @Test func aSaveAsksForATurn() throws {
    let store = try begun(.merge)
    let presence = FilePresence(of: store)
    let turn = CountedTurn()
    presence.takeTurns { turn }
    try store.write { try $0.set(1, to: 5) }
    try store.flushAndWait()
    #expect(turn.count.withLock { $0 } == 1)
    presence.takeTurns(nil)
    try store.write { try $0.set(1, to: 6) }
    try store.closeAndWait()
    #expect(turn.count.withLock { $0 } == 1)
  }

  @Test func aStoreInMemoryAndAStoreThatIsGoneDoNothing() throws {
    let presence = FilePresence(of: Store(Counters()))
    presence.itemDidChange()
    presence.mergeVersions([TestVersion("/dir/none.json")])
    presence.takeTurns { NoTurn() }
    #expect(presence.saveChanges() == nil)
  }

  @Test func aChangeOfTheFileIsNoticed() throws {
    let store = try begun(.reload)
    var value = store.snapshot().value
    try value.set(1, to: 9)
    test.bytes = try SnapshotFile.encode(value, as: .json)
    FilePresence(of: store).itemDidChange()
    #expect(store.read { $0.left[1]?.value } == 9)
    try store.closeAndWait()
  }
}

/// A turn that must not be asked for.
private struct NoTurn: FileTurn {
  func run(_ body: () -> Void) { Issue.record("a save waited for a program that waits for it") }
  func cancel() {}
}

private final class CountedTurn: FileTurn {
  let count = Mutex(0)

  func run(_ body: () -> Void) {
    count.withLock { $0 += 1 }
    body()
  }
  func cancel() {}
}
