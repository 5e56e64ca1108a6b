import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Tombstones in values without a store, and dates within one second.
struct TombstoneUpdateTests {
  /// A model with a part that has tombstones.
  private struct House: Model {
    var press = Press()
    static let schema = Schema<House>("house", version: 1, Field(part: \.press))
  }

  private static func press() throws -> Press {
    try Press(articles: (1...4).map { PressArticle(id: $0, changed: .day($0)) })
  }

  @Test func aFunctionHasTheTombstonesAtOnce() throws {
    let before = try Self.press()
    var press = before
    press.articles.removeAll { $0.id < 3 }
    #expect(press.deletions.isEmpty)
    press.updateTombstones(since: before)
    #expect(press.deletions == [1: .day(10), 2: .day(10)])
    let removed = press
    press.updateTombstones(since: before)
    #expect(press.hasSameRecords(as: removed))
    try press.articles.insert(PressArticle(id: 1))
    press.updateTombstones(since: removed)
    #expect(press.deletions == [2: .day(10)] && press.articles[1]?.changed == .day(10, plus: 1))
    #expect(press.allViolations() == [])
  }

  @Test func aPartIsUpdatedToo() throws {
    var house = House()
    house.press = try Self.press()
    let before = house
    house.press.articles.removeAll()
    house.updateTombstones(since: before)
    #expect(house.press.deletedArticles.ids == [1, 2, 3, 4] && house.allViolations() == [])
  }

  @Test func itIsWhatATransactionDoes() {
    each(SeededGenerator.seeds(20)) { (seed: UInt64) throws in
      var random = SeededGenerator(seed: seed)
      var press = try Self.press()
      let store = Store(press)
      for step in 0..<20 {
        let (id, isRemoval) = (Int.random(in: 1..<8, using: &random), Bool.random(using: &random))
        let change = { (press: inout Press) throws in
          press.now = .day(5) + Double(step)
          if isRemoval {
            _ = press.articles.remove(id)
          } else {
            _ = try press.articles.upsert(PressArticle(id: id, changed: .day(id)))
          }
        }
        try store.write(change)
        let before = press
        try change(&press)
        press.updateTombstones(since: before)
        #expect(store.read { $0.hasSameRecords(as: press) && $0.allViolations() == [] })
      }
    }
  }

  /// A model whose functions keep the tombstones. Its own functions are tried here.
  private struct Box: Model {
    var articles = Table<PressArticle>()
    var deletedArticles = Table<Tombstone<PressArticle>>()
    static let schema = Schema<Box>(
      "box", version: 1,
      Field("articles", \.articles),
      Field("deletedArticles", \.deletedArticles),
      tombstones: [
        Tombstones(
          of: \.articles, in: \.deletedArticles, now: { _ in .day(10) },
          lastChange: { $0.changed })
      ],
      settlesTransactions: false)

    mutating func remove(_ id: Int) {
      let before = self
      articles.remove(id)
      updateTombstones(since: before)
    }
  }

  @Test func withoutTransactionsTheFunctionsUndoAndMergesFollow() throws {
    var box = Box()
    try box.articles.upsert(contentsOf: (1...2).map { PressArticle(id: $0) })
    let (store, other) = (Store(box), box)
    let history = UndoHistory(of: store, now: { .day(11) })
    try store.write { _ = $0.articles.remove(2) }
    #expect(store.read { $0.deletedArticles.isEmpty })
    try history.undo()
    try store.write { $0.remove(1) }
    #expect(store.read { $0.deletedArticles[1]?.deletionDate } == .day(10))
    let merged = SnapshotContent.merging(ours: SnapshotContent(other), theirs: SnapshotContent(store.snapshot().value))
    #expect(merged.content.value.articles.ids == [2])
    try history.undo()
    #expect(store.read { $0.deletedArticles.isEmpty && $0.articles[1]?.changed == .day(11) })
    try history.redo()
    #expect(store.read { $0.deletedArticles[1]?.deletionDate == .day(11, plus: 1) && $0.allViolations() == [] })
    // Dates of changes that are later than the clock, and no dates.
    let dates = [Date.day(12), Date(timeIntervalSinceReferenceDate: .nan)]
    try box.articles.upsert(contentsOf: dates.enumerated().map { PressArticle(id: $0.offset, changed: $0.element) })
    box.remove(0)
    box.remove(1)
    #expect(box.deletedArticles.map(\.deletionDate) == [.day(12, plus: 1), .day(10)])
  }

  // MARK: Fractions of a second

  /// What a program that keeps no fractions makes of a value.
  private static func withoutFractions(_ press: Press) throws -> Press {
    var press = press
    for var article in Array(press.articles) {
      article.changed = article.changed.map {
        Date(timeIntervalSinceReferenceDate: $0.timeIntervalSinceReferenceDate.rounded(.down))
      }
      try press.articles.upsert(article)
    }
    return press
  }

  /// Removed at 0.4 seconds, while another copy has changed it at 0.9 seconds.
  @Test func aChangeInTheSecondOfARemovalIsKept() throws {
    let store = Store(try Self.press())
    var other = store.snapshot().value
    try store.write {
      $0.now = .day(10, plus: 0.4)
      _ = $0.articles.remove(1)
    }
    try other.articles.update(1) { $0 = PressArticle(id: 1, text: "edited", changed: .day(10, plus: 0.9)) }
    for copy in [other, try Self.withoutFractions(other)] {
      for (ours, theirs) in [(store.snapshot().value, copy), (copy, store.snapshot().value)] {
        let merged = SnapshotContent.merging(ours: SnapshotContent(ours), theirs: SnapshotContent(theirs))
        #expect(merged.content.value.articles[1]?.text == "edited" && merged.content.value.allViolations() == [])
      }
    }
  }

  /// Changed at 0.2 seconds and removed at 0.6 seconds of the same second, in one copy.
  @Test func aRemovalInTheSecondOfTheChangeCounts() throws {
    let store = Store(try Self.press())
    try store.write { try $0.articles.update(1) { $0.changed = .day(10, plus: 0.2) } }
    let other = store.snapshot().value
    try store.write {
      $0.now = .day(10, plus: 0.6)
      _ = $0.articles.remove(1)
    }
    // Without the fraction, the order is unknown. Data that comes back is better than data that is lost.
    for (copy, isRemoved) in [(other, true), (try Self.withoutFractions(other), false)] {
      let ours = store.snapshot()
      let merged = SnapshotContent.merging(ours: SnapshotContent(ours.value), theirs: SnapshotContent(copy))
      #expect(merged.content.value.articles.contains(1) != isRemoved && merged.repaired.isEmpty == isRemoved)
      #expect(merged.content.value.allViolations() == [])
    }
  }

  @Test func aRecordThatComesBackInTheSecondOfItsRemoval() throws {
    let store = Store(try Self.press())
    try store.write { _ = $0.articles.remove(1) }
    let other = store.snapshot().value
    try store.write { try $0.articles.insert(PressArticle(id: 1, text: "back", changed: .day(10, plus: 0.5))) }
    // A program that compares seconds sees it as later, too.
    #expect(store.read { $0.articles[1]?.changed } == .day(10, plus: 1.5))
    for copy in [store.snapshot().value, try Self.withoutFractions(store.snapshot().value)] {
      let merged = SnapshotContent.merging(ours: SnapshotContent(other), theirs: SnapshotContent(copy))
      #expect(merged.content.value.articles[1]?.text == "back" && merged.content.value.deletedArticles.isEmpty)
    }
  }

  @Test func changesInTheSecondOfTheDate() throws {
    var press = try Self.press()
    try press.articles.upsert(PressArticle(id: 5, changed: .day(9, plus: 0.7)))
    for value in [press, try Self.withoutFractions(press)] {
      #expect(value.changed(since: .day(9, plus: 0.5)).articles.ids == [5])
      #expect(value.changed(since: .day(9, plus: 1)).articles.isEmpty)
    }
  }

  /// Every format keeps all digits of a date.
  @Test(arguments: FileFormat.allCases) func aFileKeepsTheOrderWithinASecond(_ format: FileFormat) throws {
    let dates = [0.1, 0.100_000_1, 0.9, 0.999_999_9].map { Date.day(9) + $0 }
    let press = try Press(articles: dates.enumerated().map { PressArticle(id: $0.offset, changed: $0.element) })
    let back = try SnapshotFile.decode(Press.self, from: SnapshotFile.encode(press, as: format))
    #expect(back.articles.map(\.changed) == dates)
  }

  // MARK: What a part cannot say

  /// A value that was set back looks as if it had not changed: the documented limit of `changed(since:)`.
  @Test func aValueThatWasSetBack() throws {
    var earlier = TombstoneLawTests.Bureau()
    earlier.motto = "mine"
    var value = earlier
    value.motto = ""
    let part = value.changed(since: earlier)
    let merged = SnapshotContent.merging(ours: SnapshotContent(earlier), theirs: SnapshotContent(part))
    #expect(merged.content.value.motto == "mine" && merged.conflicts.isEmpty)
  }
}
