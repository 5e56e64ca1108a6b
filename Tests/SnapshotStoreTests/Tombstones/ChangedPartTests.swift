import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// The records of any model that changed since a date or an earlier value, and those that another copy lacks.
struct ChangedPartTests {
  struct Entry: Record {
    let id: Int
    var text = ""
    var textChanged: Date?
    var changed: Date?
    static let mergeRules: [MergeRule] = [
      .together(["text"], modified: "textChanged"), .modified("changed"),
    ]
  }

  /// A record with a number in place of a date.
  struct Version: Record {
    let id: String
    var number = 1
    static let mergeRules: [MergeRule] = [.modified("number")]
  }

  struct Diary: Model {
    var entries = Table<Entry>()
    var deletedEntries = Table<Tombstone<Entry>>()
    var versions = Table<Version>()
    var title = "none"
    static let schema = Schema<Diary>(
      "diary", version: 1,
      Field("entries", \.entries),
      Field("deletedEntries", \.deletedEntries),
      Field("versions", \.versions),
      Field("title", \.title),
      tombstones: [Tombstones(of: \.entries, in: \.deletedEntries) { _ in .day(20) }])
  }

  private static func diary() throws -> Diary {
    var diary = Diary()
    for day in 1...9 { try diary.entries.insert(Entry(id: day, changed: .day(day))) }
    try diary.entries.insert(Entry(id: 10))
    try diary.entries.insert(Entry(id: 11, textChanged: .day(8), changed: .day(2)))
    try diary.entries.insert(Entry(id: 12, textChanged: .day(2)))
    for (id, date) in [(21, Date.day(3)), (22, .day(7)), (23, nil)] as [(Int, Date?)] {
      try diary.deletedEntries.insert(Tombstone(id: id, deletionDate: date))
    }
    try diary.versions.insert(Version(id: "a"))
    diary.title = "mine"
    return diary
  }

  @Test func sinceADate() throws {
    let part = try Self.diary().changed(since: .day(7))
    // 10 and 12 have no date of their last change.
    #expect(part.entries.ids == [7, 8, 9, 10, 11, 12] && part.deletedEntries.ids == [22, 23])
    #expect(part.versions.ids == ["a"] && part.title == "mine" && part.allViolations() == [])
  }

  @Test(arguments: [Double.nan, -.infinity]) func sinceNoDate(_ seconds: Double) throws {
    let diary = try Self.diary()
    let part = diary.changed(since: Date(timeIntervalSinceReferenceDate: seconds))
    #expect(part.hasSameRecords(as: diary))
  }

  @Test func sinceAnEarlierValue() throws {
    let store = Store(try Self.diary())
    let earlier = store.snapshot().value
    #expect(earlier.changed(since: earlier).hasSameRecords(as: Diary()))
    try store.write {
      try $0.entries.update(3) { $0.text = "new" }
      try $0.entries.insert(Entry(id: 30))
      _ = $0.entries.remove(4)
      $0.title = "ours"
    }
    let part = store.snapshot().value.changed(since: earlier)
    #expect(part.entries.ids == [3, 30] && part.deletedEntries.ids == [4] && part.versions.isEmpty)
    #expect(part.title == "ours" && part.allViolations() == [])
  }

  // What is put into the other copy makes it hold everything.
  @Test func whatAnotherCopyLacks() throws {
    each(SeededGenerator.seeds(20)) { (seed: UInt64) throws in
      var random = SeededGenerator(seed: seed)
      var (mine, other) = (Directory(), Directory())
      mine.people.changeAtRandom(60, ids: 0..<40, isUnique: false, using: &random)
      other.people = mine.people
      mine.people.changeAtRandom(10, ids: 0..<40, isUnique: false, using: &random)
      other.people.changeAtRandom(10, ids: 0..<40, isUnique: false, using: &random)
      let part = mine.missing(from: other)
      #expect(part.allViolations() == [])
      try other.people.upsert(contentsOf: part.people)
      #expect(mine.missing(from: other).people.isEmpty)
      #expect(part.people.allSatisfy { mine.people.contains($0.id) })
    }
  }

  @Test func theCostOfFewChangesAmongMany() throws {
    let ratio = try ScalingMeter.ratio(4_000) { size in
      var diary = Diary()
      try diary.entries.upsert(contentsOf: (0..<size).map { Entry(id: $0, changed: .day(1)) })
      let store = Store(diary)
      try store.write { try $0.entries.update(size / 2) { $0.changed = .day(5) } }
      let value = store.snapshot().value
      return {
        #expect(value.changed(since: Date.day(5)).entries.count == 1)
        #expect(value.changed(since: diary).entries.count == 1)
      }
    }
    #expect(ratio < ScalingMeter.limit)
  }
}
