import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Two copies without a base: a record that one side removed does not come back.
struct TombstoneMergeTests {
  private static let articles = (1...4).map { PressArticle(id: $0) }

  private static func merged(_ ours: Press, _ theirs: Press) -> (value: Press, repaired: [Violation]) {
    let merged = SnapshotContent.merging(ours: SnapshotContent(ours), theirs: SnapshotContent(theirs))
    #expect(merged.content.value.allViolations() == [])
    return (merged.content.value, merged.repaired)
  }

  @Test func aRemovedRecordDoesNotComeBack() throws {
    let store = Store(try Press(articles: Self.articles))
    let theirs = store.snapshot().value
    try store.write { $0.articles.removeAll { $0.id < 3 } }
    let ours = store.snapshot().value
    for (one, other) in [(ours, theirs), (theirs, ours)] {
      let merged = Self.merged(one, other)
      #expect(merged.value.hasSameRecords(as: ours) && merged.repaired.isEmpty)
    }
  }

  @Test func aLaterEditIsKept() throws {
    let store = Store(try Press(articles: Self.articles))
    var theirs = store.snapshot().value
    try theirs.articles.update(1) { $0.changed = .day(12) }
    // At the same moment: no date decides.
    try theirs.articles.update(2) { $0.changed = .day(10) }
    try theirs.articles.update(3) { $0.changed = nil }
    try store.write { $0.articles.removeAll() }
    let merged = Self.merged(store.snapshot().value, theirs)
    #expect(merged.value.articles.map(\.changed) == [.day(12), .day(10, plus: 1), .day(10, plus: 1)])
    #expect(merged.value.deletions == [4: .day(10)] && merged.repaired.count == 3)
  }

  @Test func recordsWithoutDatesStay() throws {
    var theirs = Press()
    try theirs.labels.insert(PressLabel(id: "a"))
    let store = Store(theirs)
    try store.write { _ = $0.labels.remove("a") }
    let merged = Self.merged(store.snapshot().value, theirs)
    #expect(merged.value.labels.ids == ["a"] && merged.repaired.map(\.place) == ["deletedLabels a"])
  }

  /// Every change has a date of its own, so dates decide everything.
  private static func copies(_ seed: UInt64) throws -> [Press] {
    var random = SeededGenerator(seed: seed)
    var date = Date.day(2)
    let base = try Press(articles: (0..<20).map { PressArticle(id: $0) })
    let stores = (0..<3).map { _ in Store(base) }
    for _ in 0..<30 {
      date += 60
      let id = Int.random(in: 0..<25, using: &random)
      let isRemoval = Bool.random(using: &random)
      try stores[Int.random(in: 0..<3, using: &random)].write {
        $0.now = date
        if isRemoval {
          _ = $0.articles.remove(id)
        } else {
          _ = try $0.articles.upsert(PressArticle(id: id, text: "\(date)", changed: date))
        }
      }
    }
    return stores.map { $0.snapshot().value }
  }

  @Test func eitherDirectionAndAnyOrder() {
    each(SeededGenerator.seeds(40)) { (seed: UInt64) throws in
      let copies = try Self.copies(seed)
      let (a, b, c) = (copies[0], copies[1], copies[2])
      let both = Self.merged(a, b).value
      #expect(both.hasSameRecords(as: Self.merged(b, a).value))
      #expect(
        Self.merged(both, a).value.hasSameRecords(as: both) && Self.merged(both, b).value.hasSameRecords(as: both))
      #expect(Self.merged(a, a).value.hasSameRecords(as: a))
      let one = Self.merged(both, c).value
      #expect(one.hasSameRecords(as: Self.merged(a, Self.merged(b, c).value).value))
    }
  }
}
