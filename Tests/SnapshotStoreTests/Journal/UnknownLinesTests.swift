import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Lines of a program that knows more tables. A store that makes the journal anew must not leave them out.
struct UnknownLinesTests {
  private let test = StoreUnderTest()

  private func open<Root: Model>(_ type: Root.Type, _ access: StoreAccess) throws -> Store<Root> {
    var options = StoreOptions(policy: .manual, access: access, journal: .beside())
    options.log = { _ in }
    return try test.open(type, options)
  }

  private func put(_ id: Int, _ store: Store<Counters>) throws {
    try store.write { try $0.put(id, id) }
    try store.flushAndWait()
  }

  /// One append fails when its bytes are on the disk.
  private func failOnce(_ store: Store<LeftCounters>) throws {
    try store.write { try $0.put(10, 10) }
    test.fileSystem.injectFault { $0.name == "fdatasync" ? EIO : nil }
    #expect(throws: SnapshotError.self) { try store.flushAndWait() }
    test.fileSystem.injectFault(nil)
    try store.flushAndWait()
  }

  private func check(_ ids: [Int], _ second: [Int]) throws {
    let value = try test.reread()
    #expect(value.left.map(\.id) == ids)
    #expect(value.right.map(\.id) == second)
  }

  @Test func anAppendFailsBehindThoseOfAPeer() throws {
    let (new, old) = (try open(Counters.self, .shared), try open(LeftCounters.self, .shared))
    try put(1, new)
    try old.write { try $0.put(9, 9) }
    try old.flushAndWait()
    try put(2, new)
    try failOnce(old)
    try check([1, 2, 9, 10], [1, 2])
    new.checkFileAndWait()
    #expect(new.read { $0.right.map(\.id) } == [1, 2])
    try new.closeAndWait()
    try old.closeAndWait()
    try check([1, 2, 9, 10], [1, 2])
  }

  // Another program removes the journal: the lines are in memory only.
  @Test(arguments: [StoreAccess.shared, .exclusive]) func theJournalIsRemoved(_ access: StoreAccess) throws {
    let first = try open(Counters.self, access)
    try put(1, first)
    try first.flushAndWait(folding: true)
    try put(2, first)
    let (file, journal) = (test.bytes, test.fileSystem["/dir/.store.json.journal"])
    if access == .exclusive {
      try first.closeAndWait()
      (test.bytes, test.fileSystem["/dir/.store.json.journal"]) = (file, journal)
    }
    let old = try open(LeftCounters.self, access)
    try old.write { try $0.put(9, 9) }
    try old.flushAndWait()
    test.fileSystem["/dir/.store.json.journal"] = nil
    try old.write { try $0.put(10, 10) }
    try old.flushAndWait()
    try check([1, 2, 9, 10], [1, 2])
    try first.closeAndWait()
    try old.closeAndWait()
    try check([1, 2, 9, 10], [1, 2])
  }
}
