import Foundation
import SnapshotSystem
import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// What stores that share a file make of one whose origin the lock file does not prove.
final class SharedProofTests: Sendable {
  private let test = StoreUnderTest(savesAtOnce: false)
  private let faults = SmallLock((cannotNote: false, isKilled: false, failing: ""))

  private func options(_ access: StoreAccess, _ journal: JournalPolicy) -> StoreOptions {
    var options = StoreOptions(policy: .manual, access: access, journal: journal, externalChanges: .merge)
    options.log = { _ in }
    return options
  }

  private func open(_ access: StoreAccess = .shared, _ journal: JournalPolicy = .beside()) throws -> Store<Counters> {
    try test.open(Counters.self, options(access, journal))
  }

  /// A store of a process that cannot write the lock file, or is killed, when the test says so.
  private func openInProcess(_ access: StoreAccess) throws -> (Store<Counters>, ObservedFileSystem) {
    let process = ObservedFileSystem(test.fileSystem) { [weak self] _, call in
      guard let (cannotNote, isKilled, failing) = self?.faults.withLock({ $0 }) else { return EIO }
      return isKilled || cannotNote && call == "pwrite lock" || !failing.isEmpty && call.hasPrefix(failing) ? EIO : nil
    }
    let store = try Store<Counters>.open(
      at: URL(fileURLWithPath: test.path), options: options(access, .beside()), fileSystem: process,
      scheduler: test.scheduler)
    return (store, process)
  }

  private func set(_ id: Int, to value: Int? = nil, folding: Bool = false, _ store: Store<Counters>) throws {
    try store.write { try $0.set(id, to: value ?? id) }
    try test.save(store, folding: folding)
  }

  /// A number that tells which version another program has read.
  private static func mark(_ number: Int) -> Int { 9_000_000 + number }

  private func ids(_ store: Store<Counters>) -> [Int] { store.read { $0.left.map(\.id) } }
  private func values(_ store: Store<Counters>) -> [Int] { store.read { $0.left.map(\.value) } }

  /// Another program replaces the file with a changed version.
  private func replace(_ version: Counters, _ change: (inout Counters) throws -> Void) throws {
    var theirs = version
    try change(&theirs)
    test.bytes = try SnapshotFile.encode(theirs, as: .json)
  }

  // MARK: A fold that fails

  /// The file that was not put in place has the bytes of an earlier one. So its name alone proves nothing.
  @Test(arguments: ["fdatasync", "renameat"]) func aFoldBackToAnEarlierFileFails(_ call: String) throws {
    let (a, _) = try openInProcess(.shared)
    let b = try open()
    try set(1, folding: true, a)
    test.settle()
    try a.write { $0.left.removeAll() }
    faults.withLock { $0.failing = call }
    #expect(throws: SnapshotError.self) { try test.save(a, folding: true) }
    faults.withLock { $0.failing = "" }
    try test.save(a, folding: true)
    #expect(ids(a) == [])
    #expect(ids(b) == [])
  }

  // MARK: A lock file that cannot be written

  /// The lock file says less than the journal has. That must not pass for the truth.
  @Test func aLineThatCouldNotBeNoted() throws {
    let (a, _) = try openInProcess(.shared)
    let b = try open()
    try set(1, a)
    test.settle()
    faults.withLock { $0.cannotNote = true }
    try a.write { try $0.set(2, to: 2) }
    try a.flushAndWait()
    faults.withLock { $0.cannotNote = false }
    try set(3, b)
    test.settle()
    try set(4, a)
    test.settle()
    #expect(values(a) == [1, 2, 3, 4])
    #expect(values(b) == [1, 2, 3, 4])
  }

  /// The process is killed then. Its line was acknowledged.
  @Test(arguments: [StoreAccess.exclusive, .shared])
  func aLineThatCouldNotBeNotedBeforeAKill(_ access: StoreAccess) throws {
    let b = try open()
    let (killed, process) = try openInProcess(access)
    try set(1, killed)
    faults.withLock { $0.cannotNote = true }
    try set(2, killed)
    faults.withLock { $0.isKilled = true }
    process.closeAll()

    try set(3, b)
    #expect(values(b) == [1, 2, 3])
    #expect(values(try open()) == [1, 2, 3])
    withExtendedLifetime(killed) {}
  }

  /// Then the file cannot be written either. The change may be in the journal more than once.
  @Test(arguments: [StoreAccess.exclusive, .shared])
  func aLineThatCouldNotBeNotedOnAFullDisk(_ access: StoreAccess) throws {
    let (a, process) = try openInProcess(access)
    for id in 1...2 { try set(id, a) }
    faults.withLock { $0.cannotNote = true }
    test.fileSystem.injectFault { $0.name == "renameat" ? ENOSPC : nil }
    try a.write { _ = $0.left.remove(1) }
    try test.save(a)
    faults.withLock { $0.cannotNote = false }
    test.fileSystem.injectFault(nil)
    try test.save(a)
    try set(3, a)
    faults.withLock { $0.isKilled = true }
    process.closeAll()
    #expect(values(try open()) == [2, 3])
  }

  // The sync of a line has failed. Another one would do nothing, so a process that finds the line writes it once more.
  @Test func aLineThatWasNotSyncedIsWrittenOnceMore() throws {
    let a = try open()
    try set(1, a)
    // The next write fails too, so the line cannot be overwritten.
    let isBroken = SmallLock(false)
    test.fileSystem.injectFault { call in
      isBroken.withLock { isBroken in
        let fails = isBroken && call.name == "pwrite" || call.name == "fdatasync"
        isBroken = call.name == "fdatasync"
        return fails ? EIO : nil
      }
    }
    #expect(throws: SnapshotError.self) { try set(2, a) }
    test.fileSystem.injectFault(nil)
    let b = try open()
    #expect(ids(b) == [1, 2])
    try set(3, b)
    for state in test.fileSystem.statesAfterCrash() {
      let content = try state.readJournaled(at: FileLocation(test.path, on: state), limit: .max)
      let value: Counters = try SnapshotFile.decode(from: content.folded(ReadLimits(), path: test.path))
      #expect(value.left.map(\.id) == [1, 2, 3])
    }
  }

  // The line is on the disk. What follows it in time must not be acknowledged without another save.
  @Test func aLineWhoseSyncFailedIsTakenBack() throws {
    let (a, b) = (try open(), try open())
    try set(1, a)
    test.settle()
    test.fileSystem.injectFault { $0.name == "fdatasync" ? EIO : nil }
    #expect(throws: SnapshotError.self) { try set(2, b) }
    test.fileSystem.injectFault { $0.name == "create" ? ENOSPC : nil }
    try b.write { _ = $0.left.remove(2) }
    #expect(throws: SnapshotError.self) { try test.save(b) }
    test.fileSystem.injectFault(nil)
    try test.save(b)
    let state = test.fileSystem.copyOfFiles()
    let content = try state.readJournaled(at: FileLocation(test.path, on: state), limit: .max)
    let value: Counters = try SnapshotFile.decode(from: content.folded(ReadLimits(), path: test.path))
    #expect(value.left.map(\.id) == [1])
  }

  /// Its process may have been killed before it synced the last line.
  @Test func aJournalWithoutAProofIsSyncedBeforeItCounts() throws {
    let (a, b) = (try open(), try open())
    try set(1, folding: true, a)
    let old = a.read { $0 }
    try set(2, a)
    test.suspend(a)
    try replace(old) { try $0.set(1, to: Self.mark(9)) }
    let before = test.fileSystem.calls.count
    test.settle()
    #expect(ids(b) == [1, 2])
    let calls = test.fileSystem.calls[before...]
    let opened = calls.indices.filter { calls[$0].name == "openat" && calls[$0].target == ".store.json.journal" }
    #expect(opened.contains { calls[$0...].prefix(8).map(\.name).contains("fdatasync") })
  }

  // MARK: Saves that a store has not read

  /// Another program replaces the file with an older version, and the lock file is lost. Each store makes of that file
  /// what it knows. So what one of them saves may lack what only another one knew.
  @Test(arguments: [true, false])
  func theLockFileIsLostBesideAnOlderVersion(_ looksBefore: Bool) throws {
    let (a, b) = (try open(.shared, .none), try open(.shared, .none))
    try set(1, to: Self.mark(1), a)
    let old = a.read { $0 }
    test.suspend(b)
    try set(2, to: Self.mark(2), a)
    try replace(old) { try $0.set(1, to: Self.mark(9)) }
    if looksBefore { test.settle() }
    test.fileSystem["/dir/.store.json.lock"] = nil
    test.settle()
    b.resume()
    try set(3, to: Self.mark(3), b)
    try test.save(a)
    #expect(ids(a) == [1, 2, 3])
    #expect(ids(b) == [1, 2, 3])
  }

  /// The same with a journal that stands on a version which only one of them knows.
  @Test func theLockFileIsLostBesideAJournalOfAnotherVersion() throws {
    let (a, b) = (try open(), try open())
    for id in 1...2 { try set(id, to: Self.mark(id), folding: true, a) }
    let old = a.read { $0 }
    test.suspend(b)
    try set(3, to: Self.mark(3), folding: true, a)
    try set(5, to: Self.mark(5), a)
    try replace(old) { try $0.set(1, to: Self.mark(9)) }
    test.settle()
    test.fileSystem["/dir/.store.json.lock"] = nil
    test.settle()
    b.resume()
    try set(4, to: Self.mark(4), b)
    try test.save(a)
    #expect(ids(a) == [1, 2, 3, 4, 5])
    #expect(ids(b) == [1, 2, 3, 4, 5])
  }

  /// A store merges a version that it knows alone with one that others have made without it. The values of the first
  /// one are new to the others then. But another program may have read them before.
  @Test func aMergeHasValuesOfSavesThatOthersHaveNotRead() throws {
    let (a, b) = (try open(), try open())
    for id in 1...2 { try set(id, to: Self.mark(id), folding: true, a) }
    test.suspend(b)
    try set(2, to: Self.mark(20), folding: true, a)
    let read = a.read { $0 }
    test.suspend(a)
    try replace(read) { try $0.set(1, to: Self.mark(10)) }
    b.resume()
    try set(2, to: Self.mark(21), folding: true, b)
    test.suspend(b)
    a.resume()
    try set(3, to: Self.mark(3), folding: true, a)
    test.suspend(a)
    // Older versions are forgotten then.
    test.scheduler.date += 30 * 24 * 3_600
    b.resume()
    try set(5, to: Self.mark(5), b)
    #expect(ids(b) == [1, 2, 3, 5])
    try replace(read) { try $0.set(1, to: Self.mark(11)) }
    try set(4, to: Self.mark(4), b)
    #expect(ids(b) == [1, 2, 3, 4, 5])
  }
}
