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
    static let indexes: [any RecordIndex<Seat>] = [Index<Seat, String>("guest", unique: true) { $0.guest }]
  }

  struct Hall: Model {
    var seats = Table<Seat>()
    /// How many seats there may be.
    var size = 4

    static let schema = Schema<Hall>(
      name: "hall", version: 1,
      validations: [
        Validation("size") { change in
          change.after.seats.count <= change.after.size ? [] : [Violation(place: "seats", message: "are too many")]
        }
      ]
    ) {
      Field("seats", \.seats)
      Field("size", \.size)
    }
  }

  private let test = StoreUnderTest(savesAtOnce: false)
  private let reports = SmallLock<[ExternalChange]>([])

  private func open(_ policy: MergePolicy = .ours) throws -> Store<Hall> {
    var options = StoreOptions(policy: .manual, access: .shared, journal: .beside(), mergePolicy: policy)
    options.log = { _ in }
    options.onExternalChange = { [weak self] change in self?.reports.withLock { $0.append(change) } }
    let store = try test.open(Hall.self, options)
    settle()
    return store
  }

  private func settle() {
    test.runSaves()
    test.scheduler.advance(by: .seconds(3))
    test.runSaves()
  }

  private func save(_ store: Store<Hall>) throws {
    let outcome = SmallLock<Result<Void, any Error>?>(nil)
    store.saver?.flush(through: store.revision, folding: false) { result in
      outcome.withLock { $0 = result.mapError { $0 } }
    }
    settle()
    try #require(outcome.withLock { $0 }).get()
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
      #expect((kept != nil) == losesTheirs)
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
    #expect(!b.status.isDirty)
    try b.write { try $0.seats.update(2) { $0.row = 8 } }
    try save(b)
    #expect(a.read { $0.seats[2]?.row } == 8)
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
