import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Transactions beside the merge of what others have saved. They wait neither for the merge nor for the disk. The merge
/// comes to an end beside them.
@Suite(.serialized)
final class BesideExternalChangeTests: Sendable {
  struct Singer: Record {
    let id: Int
    var name = ""
    var group: Int?
  }

  struct Group: Record {
    let id: Int
  }

  struct Choir: RepairingModel {
    var singers = Table<Singer>()
    var groups = Table<Group>()

    static let schema = Schema<Choir>(
      "choir", version: 1,
      Field("singers", \.singers),
      Field("groups", \.groups))

    /// Called in each pass of repair, with what repairs.
    static let inPass = SmallLock<Callback<Void, Void>?>(nil)

    mutating func repair() -> [Violation] {
      Self.inPass.withLock { $0 }?()
      let lost = singers.filter { $0.group.map { groups[$0] == nil } == true }.map(\.id)
      for id in lost { try? singers.update(id) { $0.group = nil } }
      return lost.map { Violation(place: "singer \($0)", message: "had no group") }
    }
  }

  private let test = StoreUnderTest()
  private let reports = SmallLock<[ExternalChange]>([])

  /// A store with nine singers and three groups, saved.
  private func open(_ access: StoreAccess = .exclusive, _ policy: MergePolicy = .ours) throws -> Store<Choir> {
    var options = StoreOptions(policy: .manual, access: access)
    options.log = { _ in }
    options.externalChanges = .merge
    options.mergePolicy = policy
    options.onExternalChange = { [weak self] change in self?.reports.withLock { $0.append(change) } }
    let store = try test.open(Choir.self, options)
    try store.write { choir in
      for id in 1...3 { try choir.groups.upsert(Group(id: id)) }
      // Names that nobody writes by chance.
      for id in 1...9 { try choir.singers.upsert(Singer(id: id, name: "the singer \(id * 7_316_540_239)")) }
    }
    try store.flushAndWait()
    return store
  }

  private func replace(_ change: (inout Choir) throws -> Void) throws {
    var theirs = try test.stored(Choir.self)
    try change(&theirs)
    test.bytes = try SnapshotFile.encode(theirs, as: .json)
  }

  @Test func anExternalChangeIsMergedOnceAndOutsideOfTheWriterLock() throws {
    let store = try open()
    try store.write { try $0.singers.update(1) { $0.name = "Ada" } }
    try replace {
      try $0.singers.update(2) { $0.name = "Grace" }
      $0.groups.remove(3)
    }
    let passes = Atomic(0)
    let underLock = Atomic(0)
    let lock = store.writerLock
    Choir.inPass.withLock {
      $0 = Callback {
        passes.add(1, ordering: .relaxed)
        if lock.isHeldByThisThread { underLock.add(1, ordering: .relaxed) }
      }
    }
    defer { Choir.inPass.withLock { $0 = nil } }
    store.checkFileAndWait()
    #expect(store.read { $0.singers.prefix(2).map(\.name) } == ["Ada", "Grace"])
    #expect(passes.load(ordering: .relaxed) == 1)
    #expect(underLock.load(ordering: .relaxed) == 0)
    #expect(store.snapshot().value.allViolations() == [])
  }

  /// A transaction comes in between in each round, as when a user types.
  @Test func anExternalChangeLeavesOneCopy() throws {
    let store = try open()
    try store.write { try $0.singers.update(1) { $0.group = 3 } }
    try replace { _ = $0.groups.remove(3) }
    let number = Atomic(100)
    Choir.inPass.withLock {
      $0 = Callback {
        if store.writerLock.isHeldByThisThread { return }
        onThreads(1) { _ in
          let id = number.add(1, ordering: .relaxed).newValue
          try? store.write { try $0.singers.insert(Singer(id: id)) }
        }
      }
    }
    defer { Choir.inPass.withLock { $0 = nil } }
    store.checkFileAndWait()
    let named = reports.withLock { $0 }.compactMap { change in
      if case .merged(let outcome, _) = change { outcome.keptOurs } else { nil }
    }
    #expect(named.count == 1)
    #expect(test.paths.filter { $0.contains("before-merge") } == named)
    #expect(store.read { $0.singers[101] != nil && $0.singers[1]?.group == nil })
    #expect(store.snapshot().value.allViolations() == [])
  }

  /// A shared store with a record that a peer has saved too. In each of its merges a transaction comes in between.
  private struct Contest {
    let store: Store<Choir>
    private let state = State()

    private final class State: Sendable {
      let merges = Atomic(0)
      let writer = SmallLock<Callback<Void, Void>?>(nil)
    }

    var merges: Int { state.merges.load(ordering: .relaxed) }

    init(
      _ tests: BesideExternalChangeTests, _ side: MergePolicy.Side,
      _ change: @escaping @Sendable (inout Choir) throws -> Void
    ) throws {
      let state = state
      let store = try tests.open(
        .shared,
        .resolve { _ in
          state.merges.add(1, ordering: .relaxed)
          state.writer.withLock { $0 }?()
          return side
        })
      let peer = try tests.open(.shared)
      try store.write { try $0.singers.update(1) { $0.name = "ours" } }
      try peer.write { try $0.singers.update(1) { $0.name = "theirs" } }
      try peer.flushAndWait()
      state.writer.withLock {
        $0 = Callback {
          if store.writerLock.isHeldByThisThread { return }
          onThreads(1) { _ in try? store.write(change) }
        }
      }
      self.store = store
    }

    func end() { state.writer.withLock { $0 = nil } }
  }

  @Test func transactionsDoNotStarveASharedStore() throws {
    let contest = try Contest(self, .ours) { try $0.singers.update(2) { $0.name += "." } }
    defer { contest.end() }
    let store = contest.store
    try store.flushAndWait()
    #expect(!store.status.isDirty)
    #expect(contest.merges == 1)
    #expect(try test.stored(Choir.self).singers[1]?.name == "ours")
    #expect(try test.stored(Choir.self).singers[2]?.name == store.read { $0.singers[2]?.name })
    #expect(store.snapshot().value.allViolations() == [])
  }

  /// Each of them changes more than a look may merge while others wait. Only the tenth round lets them wait.
  @Test func longTransactionsWaitOnlyForTheLastRound() throws {
    let contest = try Contest(self, .ours) { choir in
      for id in 100..<200 { try choir.singers.upsert(Singer(id: id, name: (choir.singers[id]?.name ?? "") + ".")) }
    }
    defer { contest.end() }
    let store = contest.store
    store.checkFileAndWait()
    #expect(contest.merges == 10)
    #expect(store.read { $0.singers[1]?.name == "ours" && $0.singers[199]?.name == ".........." })
    #expect(store.snapshot().value.allViolations() == [])
  }

  /// In each round something would be lost that is not kept beside the file yet.
  @Test func aLookThatCouldOnlyLoseSomethingGivesUp() throws {
    let contest = try Contest(self, .theirs) { try $0.singers.update(1) { $0.name += "." } }
    let store = contest.store
    store.checkFileAndWait()
    #expect(contest.merges >= 10)
    #expect(store.read { $0.singers[1]?.name.hasPrefix("ours..........") == true })
    #expect(reports.withLock { $0.isEmpty })
    contest.end()
    try store.flushAndWait()
    #expect(store.read { $0.singers[1]?.name } == "theirs")
    let kept = try test.paths.filter { $0.contains(".before-merge-") }
      .compactMap { try SnapshotFile.decode(Choir.self, from: #require(test.fileSystem[$0])).singers[1]?.name }
    #expect(kept.contains { $0.hasPrefix("ours..........") })
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func noCallToTheDiskIsMadeUnderTheWriterLock() throws {
    let test = StoreUnderTest(savesAtOnce: false)
    func open() throws -> Store<Counters> {
      var options = StoreOptions(policy: .manual, access: .shared, journal: .beside())
      options.log = { _ in }
      let store = try test.open(Counters.self, options)
      test.settle()
      return store
    }
    let (a, b) = (try open(), try open())
    let calls = SmallLock<[String]>([])
    let locks = [a.writerLock, b.writerLock]
    test.fileSystem.injectEvent { call in
      if locks.contains(where: \.isHeldByThisThread) { calls.withLock { $0.append("\(call.name) \(call.target)") } }
      return nil
    }
    for value in 1...3 {
      try a.write { try $0.set(value, to: value) }
      try test.save(a)
    }
    try test.save(a, folding: true)
    #expect(b.read { $0.left.count } == 3)
    #expect(calls.withLock { $0 } == [])
    #expect(b.snapshot().value.allViolations() == [])
  }
}
