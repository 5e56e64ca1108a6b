import Testing

@testable import NotebookTestSupport
@testable import SnapshotStore
@testable import TestSupport

/// Merges in which both sides gave away unique keys.
struct UniqueMergeTests {
  private typealias Named = ThreeWayMergeTests.Named
  private typealias NamedList = ThreeWayMergeTests.NamedList

  private static func list(_ names: [Int: String]) throws -> NamedList {
    var value = NamedList()
    for (id, name) in names { try value.list.insert(Named(id: id, name: name)) }
    return value
  }

  // Both imported the same people under ids of their own. Theirs also shifted a chain of names whose end is taken.
  // Quadratic time would be minutes.
  @Test(.timeLimit(.minutes(30))) func manyCollisionsTakeNoLonger() throws {
    let count = 5_000
    var base = NamedList()
    base.list = try Table((0..<count).map { Named(id: $0, name: "n\($0)") })
    var (ours, theirs) = (base, base)
    for id in 0..<count {
      try ours.list.insert(Named(id: 10_000 + id, name: "x\(id)"))
      try theirs.list.insert(Named(id: 20_000 + id, name: "x\(id)"))
    }
    try ours.list.insert(Named(id: 40_000, name: "n\(count)"))
    for id in (0..<count).reversed() { try theirs.list.update(id) { $0.name = "n\(id + 1)" } }
    let merge = NamedList.merging(base: base, ours: ours, theirs: theirs)
    #expect(merge.conflicts.count == 2 * count)
    #expect(merge.value.hasSameRecords(as: ours))
    #expect(merge.value.allViolations() == [])
  }

  // Whatever the collisions: every record of ours is there, each of theirs is there or named, and no key is given
  // twice.
  @Test func nothingVanishes() {
    each(1...50 as ClosedRange<UInt64>) { (seed: UInt64) throws in
      var random = SeededGenerator(seed: seed)
      let base = try Self.list(Dictionary(uniqueKeysWithValues: (0..<6).map { ($0, "\($0)") }))
      func edited() throws -> NamedList {
        var value = base
        for _ in 0..<6 {
          let id = Int.random(in: 0..<12, using: &random)
          if Int.random(in: 0..<4, using: &random) == 0 {
            value.list.remove(id)
          } else {
            _ = try? value.list.upsert(Named(id: id, name: "\(Int.random(in: 0..<12, using: &random))"))
          }
        }
        return value
      }
      let (ours, theirs) = (try edited(), try edited())
      let merge = NamedList.merging(base: base, ours: ours, theirs: theirs)
      #expect(Set(merge.value.list.map(\.name)).count == merge.value.list.count, "seed \(seed)")
      let named = Set(merge.conflicts.map(\.id))
      for (side, other) in [(ours, theirs), (theirs, ours)] {
        for record in side.list where merge.value.list[record.id] != record && base.list[record.id] != record {
          #expect(named.contains("\(record.id)") || other.list[record.id] == record, "seed \(seed), \(record)")
        }
      }
      #expect(merge.value.allViolations() == [])
    }
  }

  @Test func bulkEditsMayMoveUniqueKeysAlong() throws {
    var value = try Self.list([1: "a", 2: "aa", 3: "aaa"])
    try value.list.updateAll { $0.name += "a" }
    #expect(value.list.map(\.name) == ["aa", "aaa", "aaaa"])
    #expect(value.allViolations() == [])
    let before = value
    #expect(throws: SnapshotError.self) { try value.list.updateAll { $0.name = "b" } }
    #expect(value == before)
  }
}

extension ThreeWayMergeTests.NamedList: Equatable {
  static func == (a: Self, b: Self) -> Bool { a.hasSameRecords(as: b) }
}
