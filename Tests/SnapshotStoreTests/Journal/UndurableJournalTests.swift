import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// A journal that is on the disk, while its name is not durable. The flush fails with `indeterminate`. The store must
/// know its own line when it finds it.
final class UndurableJournalTests: Sendable {
  private let test = StoreUnderTest()
  private let told = SmallLock<[String]>([])

  private func open(_ access: StoreAccess) throws -> Store<Counters> {
    var options = StoreOptions(policy: .manual, access: access, journal: .beside())
    options.log = { _ in }
    options.onExternalChange = { [weak self] change in self?.told.withLock { $0.append("\(change)") } }
    // The journal that is made with the file is not durable either. The next save makes it anew.
    failNames()
    defer { test.fileSystem.injectFault(nil) }
    return try test.open(Counters.self, options)
  }

  /// Fails the sync of the folder behind the rename of a journal.
  private func failNames() {
    let fileSystem = test.fileSystem
    fileSystem.injectFault { call in
      let last = fileSystem.calls.dropLast().last
      return call.name == "fsync" && last?.name == "renameat" && last?.target.hasSuffix(".journal") == true ? EIO : nil
    }
  }

  /// Changes the value, and saves it to a journal whose name is not durable.
  private func failToSave(_ store: Store<Counters>, _ change: (inout Counters) throws -> Void) throws {
    failNames()
    try store.write(change)
    let error = #expect(throws: SnapshotError.self) { try store.flushAndWait() }
    #expect(error?.code == .indeterminate)
    test.fileSystem.injectFault(nil)
  }

  @Test(arguments: [StoreAccess.shared, .exclusive]) func whatIsRemovedThenStaysRemoved(_ access: StoreAccess) throws {
    let store = try open(access)
    try failToSave(store) { try $0.set(3, to: 841) }
    try store.write { _ = $0.left.remove(3) }
    try store.flushAndWait()
    #expect(store.snapshot().value == Counters())
    #expect(try test.reread() == Counters())
  }

  /// The sync of a line has failed, and the process has ended. The next one finds the line, and says that it is saved.
  @Test(arguments: [StoreAccess.shared, .exclusive]) func theNextProcessSyncsALine(_ access: StoreAccess) throws {
    let process = ObservedFileSystem(test.fileSystem)
    var options = StoreOptions(policy: .manual, access: access, journal: .beside())
    options.log = { _ in }
    let store = try Store<Counters>.open(
      at: URL(fileURLWithPath: test.path), options: options, fileSystem: process, scheduler: test.scheduler)
    try store.write { try $0.set(1, to: 1) }
    try store.flushAndWait()
    test.fileSystem.injectFault { $0.name == "fdatasync" ? EIO : nil }
    try store.write { try $0.set(2, to: 2) }
    #expect(throws: SnapshotError.self) { try store.flushAndWait() }
    test.fileSystem.injectFault(nil)
    process.closeAll()

    let next = try open(access)
    // A store that shares the file has taken the line back.
    let expected = access == .shared ? [1] : [1, 2]
    try #require(next.read { $0.left.map(\.id) } == expected)
    try next.flushAndWait()
    for state in test.fileSystem.statesAfterCrash(.init(cuts: 2, changes: 7, states: 60)) {
      let content = try state.readJournaled(at: FileLocation(test.path, on: state), limit: .max)
      let value: Counters = try SnapshotFile.decode(from: content.folded(ReadLimits(), path: test.path))
      #expect(value.left.map(\.id).starts(with: expected))
    }
    withExtendedLifetime(store) {}
  }

  @Test func aFurtherChangeIsNoConflict() throws {
    let store = try open(.shared)
    try failToSave(store) { try $0.set(3, to: 841) }
    try store.write { try $0.set(3, to: 842) }
    try store.flushAndWait()
    #expect(store.read { $0.left[3]?.value } == 842)
    #expect(told.withLock { $0 } == [])
    #expect(test.paths.filter { $0.contains("conflict") || $0.contains("before") } == [])
  }

  @Test func othersAreToldWhenItIsSavedAtTheSecondTry() throws {
    let (store, peer) = (try open(.shared), try open(.shared))
    try failToSave(store) { try $0.set(3, to: 841) }
    try store.flushAndWait()
    #expect(!store.status.isDirty)
    test.scheduler.advance(by: .seconds(60))
    peer.checkFileAndWait()
    #expect(peer.read { $0.left.map(\.id) } == [3])
  }

  /// A peer that finds such a line makes it durable before it appends to it, and the store goes on from there.
  @Test func aPeerGoesOnWithIt() throws {
    let (store, peer) = (try open(.shared), try open(.shared))
    try failToSave(store) { try $0.set(3, to: 841) }
    try peer.write { try $0.set(4, to: 4) }
    try peer.flushAndWait()
    for state in test.fileSystem.statesAfterCrash(.init(cuts: 2, changes: 7, states: 60)) {
      var options = StoreOptions(policy: .manual)
      options.log = { _ in }
      let reopened = try Store<Counters>.open(
        at: URL(fileURLWithPath: test.path), options: options, fileSystem: state, scheduler: ManualScheduler())
      #expect(reopened.read { $0.left[4]?.value } == 4)
    }
    try store.write { _ = $0.left.remove(3) }
    try store.flushAndWait()
    peer.checkFileAndWait()
    #expect(store.read { $0.left.map(\.id) } == [4])
    #expect(peer.read { $0.left.map(\.id) } == [4])
    #expect(try test.reread().left.map(\.id) == [4])
    #expect(told.withLock { $0 } == [])
    #expect(store.snapshot().value.allViolations() == [])
  }
}
