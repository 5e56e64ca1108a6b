import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// When the references of a model are repaired, after two stores that share a file have changed it.
final class SharedRepairTests: Sendable {
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

    /// How often all singers were looked at.
    static let passes = SmallLock(0)

    mutating func repair() -> [Violation] {
      Self.passes.withLock { $0 += 1 }
      let lost = singers.filter { $0.group.map { groups[$0] == nil } == true }.map(\.id)
      for id in lost { try? singers.update(id) { $0.group = nil } }
      return lost.map { Violation(place: "singer \($0)", message: "had no group") }
    }
  }

  private let test = StoreUnderTest(savesAtOnce: false)

  private func open() throws -> Store<Choir> {
    var options = StoreOptions(policy: .manual, access: .shared, journal: .beside())
    options.log = { _ in }
    let store = try test.open(Choir.self, options)
    settle()
    return store
  }

  private func settle() { test.settle() }

  private func save(_ store: Store<Choir>) throws {
    let outcome = SmallLock<Result<Void, any Error>?>(nil)
    store.saver?.flush(through: store.revision, folding: false) { result in
      outcome.withLock { $0 = result.mapError { $0 } }
    }
    settle()
    try #require(outcome.withLock { $0 }).get()
  }

  /// To repair is O(n), so a merge of two changes leaves it out. A merge in which a record was removed does not.
  @Test func onlyAMergeThatMayBreakReferencesLooksAtAllRecords() throws {
    let (a, b) = (try open(), try open())
    try a.write { choir in
      for id in 1...2 { try choir.groups.insert(Group(id: id)) }
      for id in 1...3 { try choir.singers.insert(Singer(id: id)) }
    }
    try save(a)
    let before = Choir.passes.withLock { $0 }

    try a.write { try $0.singers.update(1) { $0.name = "Ada" } }
    try b.write { try $0.singers.update(2) { $0.name = "Grace" } }
    try save(a)
    try save(b)
    #expect(a.read { $0.singers.map(\.name) } == ["Ada", "Grace", ""])
    #expect(b.read { $0.singers.map(\.name) } == ["Ada", "Grace", ""])
    #expect(Choir.passes.withLock { $0 } == before)

    try a.write { $0.groups.remove(1) }
    try b.write { try $0.singers.update(3) { $0.group = 1 } }
    try save(a)
    try save(b)
    for store in [a, b] {
      #expect(store.read { $0.groups.map(\.id) } == [2])
      #expect(store.read { $0.singers.map(\.group) } == [nil, nil, nil])
    }
    #expect(Choir.passes.withLock { $0 } > before)
  }
}
