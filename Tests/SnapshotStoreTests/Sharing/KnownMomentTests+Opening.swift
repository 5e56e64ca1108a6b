import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// A store that is opened beside one that has the file exclusively, in the middle of a call.
extension KnownMomentTests {
  private final class Other: Sendable { let value = SmallLock<Store<Counters>?>(nil) }

  /// What happens in front of one call to the disk.
  private final class Meanwhile: Sendable {
    /// The calls until then; nil for never.
    let calls = SmallLock<Int?>(nil)
    /// The renames before the calls are counted.
    let renames = SmallLock(0)
    /// The same for reads at a place, as those of the list of users.
    let reads = SmallLock<Int?>(nil)
    private let work: @Sendable () -> Int32?

    init(_ work: @escaping @Sendable () -> Int32?) { self.work = work }

    func result(of call: String) -> Int32? {
      let isRead = reads.withLock { reads in
        guard call.hasPrefix("pread"), let number = reads else { return false }
        reads = number > 1 ? number - 1 : nil
        return number == 1
      }
      if isRead { return work() }
      let isCounted = renames.withLock { renames in
        defer { if call == "renameat" { renames -= 1 } }
        return renames <= 0
      }
      let isDue = calls.withLock { calls in
        guard isCounted, let number = calls else { return false }
        calls = number > 1 ? number - 1 : nil
        return number == 1
      }
      return isDue ? work() : nil
    }
  }

  private func open(
    _ access: StoreAccess, _ journal: JournalPolicy, _ meanwhile: Meanwhile
  ) throws -> Store<Counters> {
    var options = StoreOptions(policy: .manual, access: access, journal: journal, externalChanges: .merge)
    options.onExternalChange = { [self] change in note(change) }
    options.log = { _ in }
    let disk = ObservedFileSystem(test.fileSystem) { _, call in meanwhile.result(of: call) }
    return try Store<Counters>.open(
      at: URL(fileURLWithPath: test.path), options: options, fileSystem: disk, scheduler: test.scheduler)
  }

  /// An append has failed, so the journal is made anew. It has to say what the one before it had, although nobody
  /// shared the file when that began.
  @Test(arguments: 1...16) func aStoreThatIsOpenedWhileAJournalIsMadeAnew(_ call: Int) throws {
    let opened = Other()
    let meanwhile = Meanwhile { [self] in
      let store = try? open(.shared)
      opened.value.withLock { $0 = store }
      return nil
    }
    let a = try open(.exclusive, .beside(), meanwhile)
    try set(1, folding: true, a)
    try set(2, a)
    try a.write { counters in
      _ = counters.left.remove(2)
      try counters.set(3, to: 3)
    }
    test.fileSystem.injectFault { $0.name == "pwrite" ? EIO : nil }
    #expect(throws: SnapshotError.self) { try a.flushAndWait() }
    test.fileSystem.injectFault(nil)
    meanwhile.calls.withLock { $0 = call }
    try a.flushAndWait()
    meanwhile.calls.withLock { $0 = nil }
    let b = try opened.value.withLock { $0 } ?? open(.shared)
    try a.closeAndWait()
    look(b)
    #expect(ids(b) == [1, 3])
    try b.closeAndWait()
    #expect(try test.reread().left.map(\.id) == [1, 3])
  }

  /// A command that nobody shared the file with when it began.
  @Test(arguments: [28, 32, 36]) func aStoreThatIsOpenedDuringACommand(_ call: Int) throws {
    let opened = Other()
    let meanwhile = Meanwhile { [self] in
      let store = try? open(.shared)
      opened.value.withLock { $0 = store }
      return nil
    }
    let a = try open(.exclusive)
    for id in 1...3 { try set(id, folding: true, a) }
    try a.closeAndWait()
    meanwhile.calls.withLock { $0 = call }
    let disk = ObservedFileSystem(test.fileSystem) { _, call in meanwhile.result(of: call) }
    let command = KeepingReplacement<Counters>(path: test.path, fileSystem: disk)
    try command.change { content in
      _ = content.value.left.remove(2)
      return ((), Settled(verbatim: content.value, .noPromises))
    }
    meanwhile.calls.withLock { $0 = nil }
    let b = try opened.value.withLock { $0 } ?? open(.shared)
    try b.write { try $0.set(4, to: 4) }
    look(b)
    #expect(ids(b) == [1, 3, 4])
    #expect(reports.withLock { $0 } == [])
    try b.closeAndWait()
    #expect(try test.reread().left.map(\.id) == [1, 3, 4])
  }

  /// The new file is in place, and its journal is not yet there. Others fold on before the new store looks.
  @Test(arguments: [JournalPolicy.none, .beside()], [false, true])
  func aStoreThatIsOpenedDuringAFold(_ journal: JournalPolicy, _ isFirst: Bool) throws {
    let opened = Other()
    let meanwhile = Meanwhile { [self] in
      let store = try? open(.shared, journal)
      opened.value.withLock { $0 = store }
      return nil
    }
    let c = isFirst ? nil : try open(.shared, journal)
    let a = try open(.exclusive, journal, meanwhile)
    for id in 1...3 { try set(id, folding: true, a) }
    // In a journal that is there, the mark comes first.
    meanwhile.renames.withLock { $0 = isFirst ? 1 : 2 }
    meanwhile.calls.withLock { $0 = 1 }
    try set(4, folding: true, a)
    let b = try #require(opened.value.withLock { $0 })
    #expect(ids(b) == [1, 2, 3, 4])
    try a.write { _ = $0.left.remove(1) }
    for id in 5...7 { try set(id, folding: true, a) }
    try a.closeAndWait()
    for id in 8...12 { try set(id, folding: true, c ?? open(.shared, journal)) }
    try b.write { try $0.set(13, to: 1) }
    try b.flushAndWait()
    #expect(ids(b) == Array(2...13))
    #expect(reports.withLock { $0 } == [])
  }

  /// The exclusive store is closed at any moment of the opening. Then another one has the file exclusively.
  @Test func theExclusiveStoreEndsDuringAnOpening() throws {
    var count = 0
    for call in 1... {
      let moment = KnownMomentTests()
      let next = Other()
      let meanwhile = Meanwhile {
        let store = next.value.withLock { $0 }
        try? store?.closeAndWait()
        let other = try? moment.open(.exclusive)
        next.value.withLock { $0 = other }
        return nil
      }
      let a = try moment.open(.exclusive)
      try moment.set(1, folding: true, a)
      next.value.withLock { $0 = a }
      meanwhile.calls.withLock { $0 = call }
      let b = try? moment.open(.shared, .beside(), meanwhile)
      if meanwhile.calls.withLock({ $0 }) != nil { break }
      let last = try #require(next.value.withLock { $0 })
      for id in 2...4 { try moment.set(id, folding: true, last) }
      try last.closeAndWait()
      guard let b else { continue }
      count += 1
      moment.look(b)
      #expect(moment.ids(b) == [1, 2, 3, 4], "call \(call)")
      #expect(moment.reports.withLock { $0 } == [], "call \(call)")
    }
    #expect(count > 5)
  }

  /// The same with an opening at any moment of the end.
  @Test func aStoreIsOpenedWhileTheExclusiveOneEnds() throws {
    var count = 0
    for call in 1... {
      let moment = KnownMomentTests()
      let opened = Other()
      let meanwhile = Meanwhile {
        let store = try? moment.open()
        opened.value.withLock { $0 = store }
        return nil
      }
      let a = try moment.open(.exclusive, .beside(), meanwhile)
      try moment.set(1, folding: true, a)
      try moment.set(2, a)
      meanwhile.calls.withLock { $0 = call }
      try a.closeAndWait()
      if meanwhile.calls.withLock({ $0 }) != nil { break }
      let c = try moment.open(.exclusive)
      for id in 3...5 { try moment.set(id, folding: true, c) }
      try c.closeAndWait()
      guard let b = opened.value.withLock({ $0 }) else { continue }
      count += 1
      moment.look(b)
      #expect(moment.ids(b) == [1, 2, 3, 4, 5], "call \(call)")
      #expect(moment.reports.withLock { $0 } == [], "call \(call)")
    }
    #expect(count > 5)
  }

  /// The file is in place, and its name is not durable. The process ends before it tries again.
  @Test func theNameOfTheFirstSharedFileIsNotDurable() throws {
    let meanwhile = Meanwhile { EIO }
    let b: Store<Counters>
    do {
      let a = try open(.exclusive, .beside(), meanwhile)
      try set(1, folding: true, a)
      b = try open()
      // The first rename is that of the journal on the old file.
      meanwhile.renames.withLock { $0 = 2 }
      meanwhile.calls.withLock { $0 = 1 }
      try a.write { try $0.set(2, to: 2) }
      #expect(throws: SnapshotError.self) { try a.flushAndWait(folding: true) }
    }
    test.scheduler.advance(by: .seconds(1))
    look(b)
    #expect(ids(b) == [1, 2])
    #expect(reports.withLock { $0 } == [])
  }

  /// The list of the stores that share the file cannot be read once, at any time of the first fold beside another one.
  @Test func theListOfUsersCannotBeRead() throws {
    for call in 1... {
      let moment = KnownMomentTests()
      let meanwhile = Meanwhile { EIO }
      let b: Store<Counters>
      do {
        let a = try moment.open(.exclusive, .beside(), meanwhile)
        try moment.set(1, folding: true, a)
        b = try moment.open()
        meanwhile.reads.withLock { $0 = call }
        try a.write { try $0.set(2, to: 2) }
        try? a.flushAndWait(folding: true)
      }
      let isOver = meanwhile.reads.withLock { $0 != nil }
      meanwhile.reads.withLock { $0 = nil }
      moment.test.scheduler.advance(by: .seconds(1))
      moment.look(b)
      #expect(moment.ids(b) == [1, 2], "\(call)")
      #expect(moment.reports.withLock { $0 } == [], "\(call)")
      if isOver {
        #expect(call > 2)
        return
      }
    }
  }

  /// The fold gives the file the bytes that it had before. So the lines of the journal do not count any more.
  @Test func aStoreIsOpenedDuringAFoldBack() throws {
    for call in 1... {
      let moment = KnownMomentTests()
      let opened = Other()
      let meanwhile = Meanwhile {
        let store = try? moment.open()
        opened.value.withLock { $0 = store }
        return nil
      }
      let a = try moment.open(.exclusive, .beside(), meanwhile)
      try moment.set(1, a)
      try a.write { _ = $0.left.remove(1) }
      meanwhile.calls.withLock { $0 = call }
      try a.flushAndWait(folding: true)
      if meanwhile.calls.withLock({ $0 }) != nil { break }
      try a.closeAndWait()
      guard let b = opened.value.withLock({ $0 }) else { continue }
      try moment.set(9, b)
      #expect(moment.ids(try moment.open()) == [9], "call \(call)")
      #expect(moment.reports.withLock { $0 } == [], "call \(call)")
    }
  }

  /// A fold fails behind its rename. Another store has read the file, and a program alone removes what is new there.
  @Test(arguments: [JournalPolicy.none, .beside()]) func aFoldFailsBehindItsRename(_ journal: JournalPolicy) throws {
    for call in 1... {
      let moment = KnownMomentTests()
      let meanwhile = Meanwhile { EIO }
      let a = try moment.open(.shared, journal, meanwhile)
      let b = try moment.open(.shared, journal)
      try moment.set(1, folding: true, a)
      moment.look(b)
      try a.write { try $0.set(2, to: 2) }
      meanwhile.renames.withLock { $0 = 1 }
      meanwhile.calls.withLock { $0 = call }
      try? a.flushAndWait(folding: true)
      if meanwhile.calls.withLock({ $0 }) != nil { break }
      moment.look(b)
      let c = try moment.open(.exclusive, journal)
      #expect(moment.ids(c) == [1, 2], "call \(call)")
      try c.write { _ = $0.left.remove(2) }
      try c.flushAndWait(folding: true)
      try c.closeAndWait()
      try moment.set(3, b)
      #expect(moment.ids(b) == [1, 3], "call \(call)")
      #expect(moment.reports.withLock { $0 } == [], "call \(call)")
    }
  }
}
