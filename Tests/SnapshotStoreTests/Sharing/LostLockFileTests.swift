import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// The lock file is lost once: someone removes it, or it cannot be written. So a new run begins there. It must be the
/// one of all stores soon, even of one to which nothing has happened.
struct LostLockFileTests {
  enum Loss: CaseIterable, Sendable { case removed, unwritable, none }

  @Test(arguments: Loss.allCases, [(JournalPolicy.none, false), (.beside(), false), (.beside(), true)])
  func whatIsRemovedLaterStaysRemoved(_ loss: Loss, _ way: (journal: JournalPolicy, folds: Bool)) throws {
    let test = StoreUnderTest()
    let isFailing = Atomic(false)
    let disk = ObservedFileSystem(test.fileSystem) { _, step in
      step == "pwrite lock" && isFailing.load(ordering: .relaxed) ? ENOSPC : nil
    }
    let losses = SmallLock<[String]>([])
    func open(_ fileSystem: any FileSystem) throws -> Store<Counters> {
      var options = StoreOptions(policy: .manual, access: .shared, journal: way.journal)
      options.log = { _ in }
      options.onExternalChange = { change in
        // A merge in which nobody loses anything may be told.
        if case .merged(let outcome, nil) = change, outcome == MergeOutcome() { return }
        losses.withLock { $0.append("\(change)") }
      }
      return try Store<Counters>.open(
        at: URL(fileURLWithPath: test.path), options: options, fileSystem: fileSystem, scheduler: test.scheduler)
    }
    let (a, b) = (try open(disk), try open(test.fileSystem))
    func look(_ store: Store<Counters>) {
      test.scheduler.advance(by: .seconds(30))
      store.checkFileAndWait()
    }
    try a.write { for id in 1...3 { try $0.set(id, to: id) } }
    try a.flushAndWait(folding: true)
    look(b)
    // One more save, before b looks.
    try a.write { try $0.set(5, to: 47) }
    isFailing.store(loss == .unwritable, ordering: .relaxed)
    try a.flushAndWait(folding: true)
    isFailing.store(false, ordering: .relaxed)
    if loss == .removed { test.fileSystem["/dir/.store.json.lock"] = nil }
    look(b)
    #expect(b.read { $0.left.map(\.id) } == [1, 2, 3, 5])
    for store in [a, b, a] { look(store) }
    try a.write { _ = $0.left.remove([1, 5]) }
    try a.flushAndWait(folding: way.folds)
    for _ in 0..<3 {
      for store in [b, a] {
        look(store)
        try store.flushAndWait()
      }
    }
    #expect(a.read { $0.left.map(\.id) } == [2, 3])
    #expect(b.read { $0.left.map(\.id) } == [2, 3])
    #expect(losses.withLock { $0 } == [])
    #expect(a.snapshot().value.allViolations() == [])
  }
}

/// What a store that has changed nothing makes of a newer value, when the lock file proves nothing any more.
final class LostProofTests: Sendable {
  private let test = StoreUnderTest()
  private let told = SmallLock<[ExternalChange]>([])

  private func open(_ journal: JournalPolicy) throws -> Store<Counters> {
    var options = StoreOptions(policy: .manual, access: .shared, journal: journal)
    options.log = { _ in }
    options.onExternalChange = { [weak self] change in self?.told.withLock { $0.append(change) } }
    return try test.open(Counters.self, options)
  }

  private func look(_ store: Store<Counters>) {
    test.scheduler.advance(by: .seconds(30))
    store.checkFileAndWait()
  }

  /// Two stores know two versions of nine records. One of them saves a third version, and the lock file is lost.
  private func lose(
    _ journal: JournalPolicy, _ change: (inout Counters) throws -> Void
  ) throws -> (a: Store<Counters>, b: Store<Counters>) {
    let first = try open(journal)
    try first.write { for id in 1...9 { try $0.set(id, to: 1) } }
    try first.closeAndWait()
    let (a, b) = (try open(journal), try open(journal))
    try a.write { for id in 1...9 { try $0.set(id, to: 2) } }
    try a.flushAndWait(folding: true)
    look(b)
    try a.write(change)
    try a.flushAndWait(folding: true)
    test.fileSystem["/dir/.store.json.lock"] = nil
    return (a, b)
  }

  @Test(arguments: [JournalPolicy.none, .beside()], [3, 1])
  func aNewerValueStays(_ journal: JournalPolicy, _ value: Int) throws {
    let (a, b) = try lose(journal) { try $0.set(5, to: value) }
    try b.write { try $0.set(7, to: 70) }
    try b.flushAndWait()
    look(a)
    try a.flushAndWait()
    for store in [a, b] {
      #expect(store.read { $0.left[5]?.value } == value)
      #expect(store.read { $0.left[7]?.value } == 70)
      #expect(store.snapshot().value.allViolations() == [])
    }
    #expect(try test.reread() == a.snapshot().value)
    // The journal says what each of them knows, so nothing is uncertain.
    #expect(told.withLock { $0.isEmpty })
    #expect(test.paths.filter { $0.contains("before-merge") } == [])
  }

  @Test(arguments: [JournalPolicy.none, .beside()]) func aNewerRemovalStays(_ journal: JournalPolicy) throws {
    let (a, b) = try lose(journal) { _ = $0.left.remove(5) }
    try b.flushAndWait()
    look(b)
    look(a)
    for store in [a, b] { #expect(store.read { $0.left[5] == nil }) }
    #expect(try test.reread().left[5] == nil)
  }

  /// A real conflict is decided by the policy, and the other version is kept.
  @Test func anUnsavedChangeMeetsANewerOne() throws {
    let (a, b) = try lose(.beside()) { try $0.set(5, to: 3) }
    try b.write { try $0.set(5, to: 50) }
    try b.flushAndWait()
    look(a)
    for store in [a, b] { #expect(store.read { $0.left[5]?.value } == 50) }
    let copies = try test.paths.filter { $0.contains("conflict") }.map { path -> Counters in
      try SnapshotFile.decode(from: #require(test.fileSystem[path]))
    }
    #expect(copies.contains { $0.left[5]?.value == 3 })
  }
}
