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
