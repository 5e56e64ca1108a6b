import Testing

@testable import SnapshotStore
@testable import TestSupport

/// The classification of changes: deletes, inserts, moves and updates.
struct ListBatchTests {
  typealias Batch = LiveList<Chore, String>.Batch

  static func batch(
    _ old: [Chore], _ new: [Chore], limit: Int? = nil, hasSections: Bool = false
  ) throws -> Batch {
    let slice = LiveSlice<Chore, String>(
      where: { !$0.isDone }, sortedBy: \.rank, order: .ascending, sectionedBy: { hasSections ? $0.room : "" },
      sectionOrder: .ascending, limit: limit)
    let (old, new) = (try Table(old), try Table(new))
    let batch = LiveList(slice, of: old).updated(from: old, to: new)
    #expect(batch.violations() == [])
    return batch
  }

  static func chores(_ ranks: Int...) -> [Chore] { ranks.enumerated().map { Chore(id: $0, rank: $1) } }

  @Test func nothing() throws {
    let batch = try Self.batch(Self.chores(1, 2, 3), Self.chores(1, 2, 3))
    #expect(batch.isEmpty)
  }

  @Test func aNewKeyInTheSamePlaceIsAnUpdate() throws {
    let batch = try Self.batch(Self.chores(10, 20, 30), Self.chores(10, 25, 30))
    #expect(batch.moves == [])
    #expect(batch.updates == [.init(old: 1, new: 1)])
  }

  @Test func onlyOneOfTwoThatChangePlacesMoves() throws {
    let batch = try Self.batch(Self.chores(10, 20, 30, 40), Self.chores(10, 31, 21, 40))
    #expect(batch.moves.count == 1)
    #expect(batch.updates.count == 1)
  }

  // Five records get new keys; four are still in order.
  @Test func asFewAsPossibleMove() throws {
    let batch = try Self.batch(Self.chores(1, 2, 3, 4, 5), Self.chores(11, 12, 10, 13, 14))
    #expect(batch.moves == [.init(old: 2, new: 0)])
    #expect(batch.updates.count == 4)
  }

  @Test func aMovePastUnchangedRecords() throws {
    let batch = try Self.batch(Self.chores(1, 2, 3, 4), Self.chores(9, 2, 3, 4))
    #expect(batch.moves == [.init(old: 0, new: 3)])
    #expect(batch.updates == [])
  }

  @Test func indexesAreOfTheirOwnLists() throws {
    let old = Self.chores(1, 2, 3, 4)
    var new = Array(old.dropFirst()) + [Chore(id: 9, rank: 9)]
    new[1].text = "changed"
    let batch = try Self.batch(old, new)
    #expect(batch.deletes == [0])
    #expect(batch.inserts == [3])
    #expect(batch.updates == [.init(old: 2, new: 1)])
    #expect(batch.moves == [])
  }

  @Test func whatMatchesNoMoreIsDeleted() throws {
    var new = Self.chores(1, 2, 3)
    new[1].isDone = true
    #expect(try Self.batch(Self.chores(1, 2, 3), new).deletes == [1])
    #expect(try Self.batch(new, Self.chores(1, 2, 3)).inserts == [1])
  }

  @Test func aLimitPushesOutAndLetsIn() throws {
    let old = Self.chores(1, 2, 3, 4)
    let new = old + [Chore(id: 9, rank: 0)]
    let pushed = try Self.batch(old, new, limit: 3)
    #expect((pushed.deletes, pushed.inserts) == ([2], [0]))
    let pulled = try Self.batch(new, old, limit: 3)
    #expect((pulled.deletes, pulled.inserts) == ([0], [2]))
  }

  @Test func beyondTheLimitNothingIsSeen() throws {
    var new = Self.chores(1, 2, 3, 4, 5)
    new[4].rank = 7
    #expect(try Self.batch(Self.chores(1, 2, 3, 4, 5), new, limit: 3).isEmpty)
    // One element enters from behind, and another one leaves.
    new[4].rank = 0
    let batch = try Self.batch(Self.chores(1, 2, 3, 4, 5), new, limit: 3)
    #expect((batch.deletes, batch.inserts, batch.moves) == ([2], [0], []))
  }

  // At the border of two sections the index stays the same, but the section changes.
  @Test func anotherSectionIsAMove() throws {
    let old = [Chore(id: 1, room: "a"), Chore(id: 2, room: "a"), Chore(id: 3, room: "b")]
    var new = old
    new[1].room = "b"
    let batch = try Self.batch(old, new, hasSections: true)
    #expect(batch.moves == [.init(old: 1, new: 1)])
    #expect(batch.updates == [])
    #expect((batch.sectionDeletes, batch.sectionInserts) == ([], []))
  }

  @Test func sectionsComeAndGo() throws {
    let old = [Chore(id: 1, room: "a"), Chore(id: 2, room: "b"), Chore(id: 3, room: "c")]
    var new = old
    new[1].room = "d"
    let batch = try Self.batch(old, new, hasSections: true)
    #expect((batch.sectionDeletes, batch.sectionInserts) == ([1], [2]))
  }

  @Test func longestRuns() {
    #expect([Int]().longestIncreasing() == [])
    #expect([3].longestIncreasing() == [true])
    #expect([1, 2, 3].longestIncreasing() == [true, true, true])
    #expect([2, 5, 1, 7].longestIncreasing() == [true, true, false, true])
    #expect([3, 2, 1].longestIncreasing().count { $0 } == 1)
  }
}
