import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Two stores that share a file have changed what cannot be kept of both.
final class SharedConflictTests: Sendable {
  struct Seat: Record {
    let id: Int
    var guest: String
    var row: Int = 0
    static let indexes = Indexes(Index<Seat, String>("guest", unique: true) { $0.guest })
  }

  struct Hall: Model {
    var seats = Table<Seat>()
    /// How many seats there may be.
    var size = 4
    /// How many seats there must be.
    var fewest = 0

    static let schema = Schema<Hall>(
      "hall", version: 1,
      Field("seats", \.seats),
      Field("size", \.size),
      Field("fewest", \.fewest),
      validations: [
        Validation("size") { change in
          let (hall, count) = (change.after, change.after.seats.count)
          return count > hall.size
            ? [Violation(place: "seats", message: "are too many")]
            : count < hall.fewest ? [Violation(place: "seats", message: "are too few")] : []
        }
      ])
  }

  /// The same file in a program without the validation.
  struct BareHall: Model {
    var seats = Table<Seat>()
    var size = 4

    static let schema = Schema<BareHall>("hall", version: 1, Field("seats", \.seats), Field("size", \.size))
  }

  private let test = StoreUnderTest(savesAtOnce: false)
  private let reports = SmallLock<[ExternalChange]>([])

  private func open(_ policy: MergePolicy = .ours) throws -> Store<Hall> { try open(Hall.self, policy) }

  private func open<Root: Model>(
    _ type: Root.Type, _ policy: MergePolicy = .ours, logging log: Messages? = nil
  ) throws -> Store<Root> {
    var options = StoreOptions(policy: .manual, access: .shared, journal: .beside(), mergePolicy: policy)
    options.log = { log?.add($0) }
    if log == nil {
      options.onExternalChange = { [weak self] change in self?.reports.withLock { $0.append(change) } }
    }
    let store = try test.open(type, options)
    settle()
    return store
  }

  private func settle() { test.settle() }

  private func save<Root>(_ store: Store<Root>, folding: Bool = false) throws {
    try test.save(store, folding: folding)
  }

  private func files(_ word: String) -> [String] { test.paths.filter { $0.contains(".\(word)-") } }

  private func seats(_ path: String) throws -> [Seat] {
    Array(try SnapshotFile.decode(Hall.self, from: #require(test.fileSystem[path])).seats)
  }

  /// What others have saved is acknowledged, so it is never ours that takes its place.
  @Test func aUniqueKeyBelongsToTheFirstThatSaved() throws {
    let (a, b) = (try open(), try open())
    try a.write { try $0.seats.insert(Seat(id: 1, guest: "Ada")) }
    try b.write { hall in
      try hall.seats.insert(Seat(id: 2, guest: "Ada"))
      try hall.seats.insert(Seat(id: 3, guest: "Grace"))
    }
    try save(a)
    #expect(b.read { $0.seats.map(\.guest) } == ["Ada", "Grace"])
    #expect(b.read { $0.seats.map(\.id) } == [1, 3])
    guard case .merged(let outcome, nil)? = reports.withLock({ $0.first }) else {
      Issue.record("\(reports.withLock { $0 })")
      return
    }
    #expect(outcome.conflicts == [MergeConflict(table: "seats", id: "2", resolution: .leftOursOut)])
    #expect(outcome.keptOurs != nil && outcome.keptOurs == files("before-merge").first)
    #expect(try files("before-merge").map { try seats($0).map(\.id) } == [[2]])
    try save(b)
    #expect(a.read { $0.seats.map(\.id) } == [1, 3])
    #expect(a.read { $0.allViolations() } == [])
  }

  /// A changed key that another has taken meanwhile goes back to what it was.
  @Test func aChangedKeyGoesBack() throws {
    let (a, b) = (try open(), try open())
    try a.write { hall in
      try hall.seats.insert(Seat(id: 1, guest: "Ada"))
      try hall.seats.insert(Seat(id: 2, guest: "Grace"))
    }
    try save(a)
    try a.write { try $0.seats.update(1) { $0.guest = "Alan" } }
    try b.write { try $0.seats.update(2) { $0.guest = "Alan" } }
    try save(a)
    #expect(b.read { $0.seats.map(\.guest) } == ["Alan", "Grace"])
    #expect(try files("before-merge").map { try seats($0).map(\.guest) } == [["Alan"]])
  }

  @Test func thePolicyDecides() throws {
    let policies: [(MergePolicy, Int, losesTheirs: Bool)] = [
      (.ours, 30, true), (.theirs, 20, false), (.newest, 30, true),
      (.resolve { conflict in conflict.properties == ["row"] ? .theirs : .ours }, 20, false),
    ]
    for (policy, row, losesTheirs) in policies {
      let world = SharedConflictTests()
      let (a, b) = (try world.open(), try world.open(policy))
      try a.write { try $0.seats.insert(Seat(id: 1, guest: "Ada")) }
      try world.save(a)
      try a.write { try $0.seats.update(1) { $0.row = 20 } }
      try b.write { try $0.seats.update(1) { $0.row = 30 } }
      try world.save(a)
      #expect(b.read { $0.seats[1]?.row } == row)
      let (lost, other) = losesTheirs ? ("conflict", "before-merge") : ("before-merge", "conflict")
      #expect(try world.files(lost).map { try world.seats($0).map(\.row) } == [[losesTheirs ? 20 : 30]])
      #expect(world.files(other) == [])
      guard case .merged(let outcome, let kept)? = world.reports.withLock({ $0.first }) else {
        Issue.record("\(world.reports.withLock { $0 })")
        return
      }
      #expect(outcome.conflicts.map(\.place) == ["seats 1, row"])
      #expect((kept != nil) == losesTheirs && (outcome.keptOurs == nil) == losesTheirs)
      try world.save(b)
      #expect(a.read { $0.seats[1]?.row } == row)
    }
  }

  /// Each side is valid. Both together are not.
  @Test func aValidationRefusesBothTogether() throws {
    let (a, b) = (try open(), try open())
    try a.write { hall in for id in 1...3 { try hall.seats.insert(Seat(id: id, guest: "\(id)")) } }
    try save(a)
    try a.write { try $0.seats.insert(Seat(id: 4, guest: "4")) }
    try b.write { hall in
      try hall.seats.insert(Seat(id: 5, guest: "5"))
      try hall.seats.update(1) { $0.row = 7 }
    }
    try save(a)
    #expect(b.read { $0.seats.map(\.id) } == [1, 2, 3, 4])
    guard case .rejected(let reason, let kept?)? = reports.withLock({ $0.first }) else {
      Issue.record("\(reports.withLock { $0 })")
      return
    }
    #expect("\(reason)".contains("are too many"))
    #expect(try seats(kept).map(\.id) == [1, 5])
    #expect(files("before-merge") == [kept])
    #expect(!b.status.isDirty)
    try b.write { try $0.seats.update(2) { $0.row = 8 } }
    try save(b)
    #expect(a.read { $0.seats[2]?.row } == 8)
  }

  /// A program that does not know the validation has saved what breaks it. The changes here are not the reason.
  @Test func whatOthersBreakIsNotHeldAgainstOurs() throws {
    let (a, bare) = (try open(), try open(BareHall.self))
    try a.write { try $0.seats.insert(Seat(id: 1, guest: "1")) }
    try save(a)
    try bare.write { hall in for id in 2...5 { try hall.seats.insert(Seat(id: id, guest: "\(id)")) } }
    try a.write { try $0.seats.update(1) { $0.row = 7 } }
    try save(bare)
    #expect(a.read { $0.seats.count } == 5 && a.read { $0.seats[1]?.row } == 7)
    try save(a)
    #expect(bare.read { $0.seats[1]?.row } == 7)
    #expect(test.paths.count { $0.contains("-20") } == 0)
  }

  /// By default no program asks for the decisions. The log has them.
  @Test func aDecisionIsLogged() throws {
    let log = Messages()
    let (a, b) = (try open(), try open(Hall.self, logging: log))
    try a.write { try $0.seats.insert(Seat(id: 1, guest: "Ada")) }
    try b.write { try $0.seats.insert(Seat(id: 2, guest: "Ada")) }
    try save(a)
    let own = try #require(files("before-merge").first)
    #expect(
      log.all == [
        "the store “\(test.path)” was changed by others too. The versions that were not taken are in “\(own)”. "
          + "Decided: seats 2: ours does not fit: another record there has its unique key"
      ])
    try a.write { hall in for id in 3...5 { try hall.seats.insert(Seat(id: id, guest: "\(id)")) } }
    try b.write { try $0.seats.insert(Seat(id: 6, guest: "6")) }
    try save(a)
    #expect(log.all.count == 2)
    let reason = "too, which does not fit: seats: are too many. One of the two versions is in “"
    #expect(log.all.last?.contains(reason) == true)
  }

  /// A removal that is refused leaves nothing to keep beside the file. The log says that it was refused.
  @Test func aRefusedRemovalIsLogged() throws {
    let log = Messages()
    let (a, b) = (try open(), try open(Hall.self, logging: log))
    try a.write { hall in
      hall.fewest = 1
      for id in 1...2 { try hall.seats.insert(Seat(id: id, guest: "\(id)")) }
    }
    try save(a)
    try a.write { _ = $0.seats.remove(1) }
    try b.write { _ = $0.seats.remove(2) }
    try save(a)
    #expect(b.read { $0.seats.map(\.id) } == [2])
    #expect(
      log.all == ["the store “\(test.path)” was changed by others too, which does not fit: seats: are too few"])
    try save(b)
    #expect(a.read { $0.seats.map(\.id) } == [2])
    #expect(test.paths.count { $0.contains("-20") } == 0)
  }

  /// A flush would wait for the code that calls it.
  @Test func aMergePolicyCannotFlush() throws {
    let store = SmallLock<Store<Hall>?>(nil)
    let codes = SmallLock<[SnapshotError.Code?]>([])
    let policy = MergePolicy.resolve { _ in
      let error = #expect(throws: SnapshotError.self) { try store.withLock { $0 }?.flushAndWait() }
      codes.withLock { $0.append(error?.code) }
      return .theirs
    }
    let (a, b) = (try open(), try open(policy))
    store.withLock { $0 = b }
    try a.write { try $0.seats.insert(Seat(id: 1, guest: "Ada")) }
    try save(a)
    try b.write { try $0.seats.update(1) { $0.row = 3 } }
    try a.write { try $0.seats.update(1) { $0.row = 2 } }
    try save(a)
    #expect(codes.withLock { $0 } == [.wouldDeadlock])
    #expect(b.read { $0.seats[1]?.row } == 2)
    store.withLock { $0 = nil }
  }

  /// A fold by another process changes no value, so nobody is told of a change.
  @Test func aFoldOfOthersIsNoChange() throws {
    let (a, b) = (try open(), try open())
    try a.write { try $0.seats.insert(Seat(id: 1, guest: "Ada")) }
    try save(a)
    let revision = b.revision
    #expect(b.read { $0.seats.count } == 1)
    try save(a, folding: true)
    #expect(test.changes == 0)
    #expect(b.revision == revision)
    try b.write { try $0.seats.update(1) { $0.row = 3 } }
    try save(b)
    #expect(a.read { $0.seats[1]?.row } == 3 && b.revision == revision + 1)
  }

  @Test func whatWasRemovedThereAndChangedHereStays() throws {
    let (a, b) = (try open(), try open())
    try a.write { try $0.seats.insert(Seat(id: 1, guest: "Ada")) }
    try save(a)
    try a.write { _ = $0.seats.remove(1) }
    try b.write { try $0.seats.update(1) { $0.row = 30 } }
    try save(a)
    #expect(b.read { $0.seats[1]?.row } == 30)
    #expect(files("conflict") == [])
    try save(b)
    #expect(a.read { $0.seats[1]?.row } == 30)
    #expect(reports.withLock { $0.count } == 1)
  }

  @Test func aSingleValueOfBoth() throws {
    let (a, b) = (try open(), try open())
    try a.write { $0.size = 10 }
    try b.write { $0.size = 20 }
    try save(a)
    #expect(b.read { $0.size } == 20)
    let kept = try #require(files("conflict").first)
    #expect(try SnapshotFile.decode(Hall.self, from: #require(test.fileSystem[kept])).size == 10)
  }
}
