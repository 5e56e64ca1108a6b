import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// A journal that cannot be read, and one that a power cut needs.
extension KnownMomentTests {
  /// A journal that is damaged in the middle.
  private func damageJournal() throws {
    let text = String(decoding: try #require(test.fileSystem[journal]), as: UTF8.self)
    let second = try #require(text.split(separator: "\n").dropFirst(2).first)
    test.fileSystem[journal] = Array(text.replacing(second, with: second.replacing("value", with: "valve")).utf8)
  }

  /// The damaged journal is kept under another name, and must not stay: no store could read it.
  @Test(arguments: [StoreAccess.exclusive, .shared], [false, true])
  func aStoreThatRecoversCanSave(_ access: StoreAccess, _ isBesideASharer: Bool) throws {
    let a = try open(.exclusive)
    try set(1, folding: true, a)
    for id in 2...4 { try set(id, a) }
    // As a killed process leaves it.
    let files = [test.path, journal].map { ($0, test.fileSystem[$0]) }
    try a.closeAndWait()
    for (path, bytes) in files { test.fileSystem[path] = bytes }
    let sharer = isBesideASharer ? try open() : nil
    if let sharer { try set(9, sharer) }
    try damageJournal()
    let b = try open(access, recovery: .generations)
    #expect(test.paths.contains { $0.contains(".journal-") || $0.contains("journal ") })
    try set(5, b)
    #expect(b.status.isDirty == false)
    if access == .exclusive { try b.closeAndWait() }
    if let sharer {
      try set(6, sharer)
      #expect(ids(sharer).contains(5) && ids(sharer).contains(9))
    }
    #expect(ids(try open()).contains(5))
  }

  /// A process was killed between the rename and the sync of the folder. Without the journal, a power cut would lose
  /// its lines.
  @Test func aCommandRemovesNoJournalThatAPowerCutNeeds() throws {
    let killed = ObservedFileSystem(test.fileSystem) { _, _ in nil }
    let a = try Store<Counters>.open(
      at: URL(fileURLWithPath: test.path),
      options: StoreOptions(policy: .manual, journal: .beside(), log: { _ in }), fileSystem: killed,
      scheduler: test.scheduler)
    try set(1, folding: true, a)
    try set(2, a)
    test.failDirectorySync()
    #expect(throws: SnapshotError.self) { try a.flushAndWait(folding: true) }
    test.fileSystem.injectFault(nil)
    killed.closeAll()
    let checks = Atomic(0)
    let disk = ObservedFileSystem(test.fileSystem) { [test, journal] _, _ in
      if test.fileSystem[journal] != nil { return nil }
      for state in test.fileSystem.statesAfterCrash() {
        checks.add(1, ordering: .relaxed)
        let bytes = try? state.readJournaled(at: FileLocation(test.path, on: state), limit: .max)
          .folded(ReadLimits(), path: test.path)
        let ids = bytes.flatMap { try? SnapshotFile.decode(Counters.self, from: $0) }?.left.map(\.id)
        #expect(ids == [1, 2])
      }
      return nil
    }
    let session = try FileSession(at: test.path, on: disk, lockTimeLimit: .zero)
    try session.foldJournal(ReadLimits(), date: .now)
    session.close()
    #expect(checks.load(ordering: .relaxed) > 0)
    withExtendedLifetime(a) {}
  }

  /// The sync of a line fails, and its holder makes the journal anew while another store is being opened. That has read
  /// the line, and then finds the end of the new journal in the lock file.
  @Test(arguments: 1...60) func aJournalIsMadeAnewWhileAStoreIsOpened(_ call: Int) throws {
    let a = try open(.exclusive)
    try set(1, folding: true, a)
    try set(2, a)
    try a.write { counters in
      _ = counters.left.remove(2)
      try counters.set(3, to: 3)
      try counters.set(4, to: 4)
    }
    fail("fdatasync") { try a.flushAndWait() }
    try a.write { _ = $0.left.remove(4) }
    let calls = SmallLock(call)
    let disk = ObservedFileSystem(test.fileSystem) { _, _ in
      let isDue = calls.withLock { calls in
        calls -= 1
        return calls == 0
      }
      if isDue { try? a.flushAndWait() }
      return nil
    }
    var options = StoreOptions(policy: .manual, access: .shared, journal: .beside(), externalChanges: .merge)
    options.log = { _ in }
    let b = try Store<Counters>.open(
      at: URL(fileURLWithPath: test.path), options: options, fileSystem: disk, scheduler: test.scheduler)
    try a.flushAndWait()
    try a.closeAndWait()
    look(b)
    #expect(ids(b) == [1, 3])
    try b.closeAndWait()
    #expect(try test.reread().left.map(\.id) == [1, 3])
  }

  /// A line whose sync has failed is removed. The store that is opened next makes that durable, even if its first
  /// sync fails too. Until then it does not say that all is saved.
  @Test func aLineThatWasRemovedStaysAway() throws {
    let b = try open()
    do {
      let a = try open()
      fail("fdatasync") { try set(1, a) }
    }
    test.scheduler.advance(by: .seconds(1))
    failing.withLock { $0 = "fdatasync" }
    let c = try open()
    #expect(failing.withLock { $0 } == "", "nothing has failed")
    try c.flushAndWait()
    #expect(ids(c) == [])
    for state in test.fileSystem.statesAfterCrash(.init(cuts: 3, changes: 6, states: 24)) {
      let store = try Store<Counters>.open(
        at: URL(fileURLWithPath: test.path), options: StoreOptions(policy: .manual), fileSystem: state,
        scheduler: ManualScheduler())
      #expect(ids(store) == [])
    }
    look(b)
    #expect(ids(b) == [])
  }
}
