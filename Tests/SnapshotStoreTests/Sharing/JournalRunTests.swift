import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// What a store that has slept finds in the past of the journal, and what others have done to that meanwhile.
final class JournalRunTests: Sendable {
  private let test = StoreUnderTest()
  private let told = SmallLock<[ExternalChange]>([])
  private let failing = SmallLock("")

  private func open(
    _ journal: JournalPolicy = .beside(), _ policy: ExternalChange.Policy = .merge
  ) throws -> Store<Counters> {
    var options = StoreOptions(policy: .manual, access: .shared, journal: journal, externalChanges: policy)
    options.log = { _ in }
    options.onExternalChange = { [weak self] change in self?.told.withLock { $0.append(change) } }
    let disk = ObservedFileSystem(test.fileSystem) { [weak self] _, call in
      let isNext = self?.failing.withLock { failing in
        guard !failing.isEmpty, call.hasPrefix(failing) else { return false }
        failing = ""
        return true
      }
      return isNext == true ? EIO : nil
    }
    return try Store<Counters>.open(
      at: URL(fileURLWithPath: test.path), options: options, fileSystem: disk, scheduler: test.scheduler)
  }

  private func look(_ store: Store<Counters>) {
    test.scheduler.advance(by: .seconds(30))
    store.checkFileAndWait()
  }

  private func set(_ id: Int, to value: Int = 1, folding: Bool = false, _ store: Store<Counters>) throws {
    try store.write { try $0.set(id, to: value) }
    try store.flushAndWait(folding: folding)
  }

  private func ids(_ store: Store<Counters>) -> [Int] { store.read { $0.left.map(\.id) } }
  private var journal: String { "/dir/.store.json.journal" }

  /// No journal names the moment that it knows. Its place among the journals says that the file was made from that.
  @Test(arguments: [JournalPolicy.none, .beside()])
  func aStoreSleepsThroughManyFolds(_ journal: JournalPolicy) throws {
    let (a, b) = (try open(journal), try open(journal))
    try a.write { for id in 1...9 { try $0.set(id, to: 1) } }
    try a.flushAndWait(folding: true)
    look(b)
    try b.write { try $0.set(5, to: 2) }
    try b.flushAndWait()
    look(a)
    for value in 1...100 {
      try a.write { try $0.set(5, to: value % 3) }
      try a.flushAndWait(folding: true)
    }
    // It is one run, of which the first line names one moment.
    let past = try #require(Journal(test.fileSystem[self.journal] ?? [], limits: ReadLimits()).header?.past)
    #expect(past.place.number > 100 && past.links.count < 3)
    try b.write { try $0.set(7, to: 70) }
    try b.flushAndWait()
    look(a)
    for store in [a, b] { #expect([5, 7].map { id in store.read { $0.left[id]?.value } } == [1, 70]) }
    #expect(told.withLock { $0.isEmpty })
  }

  /// Another program has put an older file and its journal in place. Their numbers are used once more.
  @Test func anOlderCopyIsPutInPlace() throws {
    let (a, b) = (try open(), try open())
    for id in 1...3 { try set(id, folding: true, a) }
    try set(4, a)
    look(b)
    let copies = [test.path, journal].map { ($0, test.fileSystem[$0]) }
    for id in 5...8 { try set(id, folding: true, b) }
    try set(9, b)
    try b.suspendAndWait()
    try a.suspendAndWait()
    for (path, bytes) in copies { test.fileSystem[path] = bytes }
    let c = try open()
    for id in 20...30 { try set(id, folding: true, c) }
    b.resume()
    look(b)
    try b.flushAndWait()
    look(c)
    for store in [b, c] { #expect(ids(store) == Array(1...9) + Array(20...30)) }
  }

  /// Lines are gone that only a sleeping store knows.
  @Test(arguments: [true, false]) func linesAreCutOff(_ inTheMiddle: Bool) throws {
    let (a, b) = (try open(), try open())
    try set(1, folding: true, a)
    try set(2, b)
    look(a)
    for id in 3...5 { try set(id, b) }
    try b.suspendAndWait(flushing: false)
    let lines = (test.fileSystem[journal] ?? []).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let kept = Array(lines.prefix(4).joined(separator: [UInt8(ascii: "\n")]))
    test.fileSystem[journal] = inTheMiddle ? kept.dropLast(9) + [] : kept + [UInt8(ascii: "\n")]
    let c = try open()
    look(a)
    for id in 20...25 { try set(id, folding: true, a) }
    try set(26, folding: true, c)
    b.resume()
    look(b)
    try b.flushAndWait()
    look(a)
    for store in [a, b] { #expect(ids(store) == Array(1...5) + Array(20...26)) }
  }

  /// A store that keeps its own value over the file of another program does so for what it knows.
  @Test func aStoreKeepsItsOwn() throws {
    let (a, b) = (try open(.beside(), .keepOurs), try open())
    try set(1, folding: true, a)
    look(b)
    let old = try #require(test.bytes)
    try set(2, b)
    var theirs = try SnapshotFile.decode(Counters.self, from: old)
    try theirs.set(3, to: 3)
    test.bytes = try SnapshotFile.encode(theirs, as: .json)
    look(a)
    try set(4, folding: true, a)
    look(b)
    try b.flushAndWait()
    look(a)
    for store in [a, b] { #expect(Set(ids(store)).isSuperset(of: [1, 2, 4])) }
  }

  /// The mark cannot be written. The new journal takes the place of the old one, and stays.
  @Test func aJournalThatCannotBeMarked() throws {
    let (a, b) = (try open(), try open())
    try set(1, folding: true, a)
    try set(2, a)
    look(b)
    try a.write { _ = $0.left.remove(2) }
    failing.withLock { $0 = "fdatasync" }
    _ = try? a.flushAndWait(folding: true)
    try a.flushAndWait(folding: true)
    #expect(test.fileSystem[journal] != nil)
    look(b)
    for store in [a, b] { #expect(ids(store) == [1]) }
    #expect(told.withLock { $0.isEmpty })
  }
}
