import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// A removed record leaves a tombstone, and an inserted one loses it, wherever the value of a store changes.
struct TombstoneTests {
  private let store: Store<Press>

  init() throws {
    store = Store(
      try Press(articles: [
        PressArticle(id: 1), PressArticle(id: 2, changed: .day(20)), PressArticle(id: 3, changed: nil),
      ]))
  }

  private func check() -> Press {
    let value = store.snapshot().value
    #expect(value.allViolations() == [])
    return value
  }

  // MARK: Transactions

  @Test func aRemovalIsRememberedAndCountsAsLaterThanAnyChange() throws {
    try store.write { $0.articles.removeAll() }
    #expect(check().deletions == [1: .day(10), 2: .day(20, plus: 1), 3: .day(10)])
  }

  @Test func aClockThatHasNotMoved() throws {
    try store.write { try $0.articles.update(1) { $0.changed = .day(10) } }
    try store.write { _ = $0.articles.remove(1) }
    #expect(check().deletions == [1: .day(10, plus: 1)])
  }

  @Test func aRecordOfOldDatesThatIsInsertedAgain() throws {
    let old = try #require(store.read { $0.articles[1] })
    try store.write { _ = $0.articles.remove(1) }
    try store.write { try $0.articles.insert(old) }
    #expect(check().deletions.isEmpty && check().articles[1]?.changed == .day(10, plus: 1))
  }

  @Test func aNewDateStays() throws {
    try store.write { _ = $0.articles.remove(1) }
    try store.write { try $0.articles.insert(PressArticle(id: 1, changed: .day(11))) }
    #expect(check().deletions.isEmpty && check().articles[1]?.changed == .day(11))
  }

  @Test func aRemovalAndAnInsertionInOneTransaction() throws {
    try store.write {
      if let article = $0.articles.remove(1) { try $0.articles.insert(article) }
      try $0.articles.insert(PressArticle(id: 9))
      _ = $0.articles.remove(9)
    }
    #expect(check().deletions.isEmpty && check().articles[1]?.changed == .day(1))
  }

  // A sync may know when another copy removed the record.
  @Test(arguments: [(Date.day(5), Date.day(5)), (.day(1), .day(10)), (nil, nil)] as [(Date?, Date?)])
  func aTombstoneThatTheTransactionMakes(_ given: Date?, _ result: Date?) throws {
    try store.write {
      _ = $0.articles.remove(1)
      try $0.deletedArticles.upsert(Tombstone(id: 1, deletionDate: given))
    }
    #expect(check().deletions == [1: result])
  }

  @Test func theTombstoneOfAnExistingRecord() throws {
    try store.write { try $0.deletedArticles.upsert(Tombstone(id: 1, deletionDate: .day(12))) }
    #expect(check().deletions.isEmpty && check().articles[1]?.changed == .day(12, plus: 1))
  }

  @Test func whatARuleRemoves() throws {
    try store.write { try $0.labels.upsert(contentsOf: [PressLabel(id: "doomed"), PressLabel(id: "kept")]) }
    try store.write { $0.articles.removeAll() }
    #expect(check().deletedLabels.map(\.id) == ["doomed"] && check().deletedLabels["doomed"]?.deletionDate == .day(10))
  }

  @Test func recordsWithoutDates() throws {
    try store.write { try $0.labels.insert(PressLabel(id: "a", name: "old")) }
    try store.write { _ = $0.labels.remove("a") }
    #expect(check().deletedLabels.map(\.deletionDate) == [.day(10)])
    try store.write { try $0.labels.insert(PressLabel(id: "a", name: "new")) }
    #expect(check().deletedLabels.isEmpty && check().labels["a"]?.name == "new")
  }

  // MARK: Clocks

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300]) func aClockOfNoUse(_ seconds: Double) throws {
    try store.write {
      $0.now = Date(timeIntervalSinceReferenceDate: seconds)
      $0.articles.removeAll()
    }
    #expect(check().deletions == [1: .day(1, plus: 1), 2: .day(20, plus: 1), 3: nil])
    #expect(throws: Never.self) { try SnapshotFile.encode(check(), as: .json) }
  }

  @Test func theLastDateThereIs() throws {
    let last = Date(timeIntervalSinceReferenceDate: 252_423_993_599.5)
    try store.write { try $0.articles.update(1) { $0.changed = last } }
    try store.write { _ = $0.articles.remove(1) }
    #expect(check().deletions == [1: last])
    let back = try SnapshotFile.decode(Press.self, from: SnapshotFile.encode(check(), as: .json))
    #expect(back.deletions == [1: last])
  }

  // MARK: Pruning

  @Test func onlyOldTombstonesOfAKnownDateArePruned() throws {
    try store.write {
      for (id, date) in [(7, Date.day(3)), (8, .day(4)), (9, nil)] as [(Int, Date?)] {
        try $0.deletedArticles.insert(Tombstone(id: id, deletionDate: date))
      }
    }
    #expect(try store.write { $0.deletedArticles.prune(before: .day(4)) } == 1)
    #expect(check().deletedArticles.ids == [8, 9])
  }

  // MARK: Many

  @Test func theCostOfRemovingMany() throws {
    let ratio = try ScalingMeter.ratio(2_500) { size in
      let store = Store(try Press(articles: (0..<size).map { PressArticle(id: $0) }))
      return {
        try store.write { $0.articles.removeAll() }
        try store.write { try $0.articles.upsert(contentsOf: (0..<size).map { PressArticle(id: $0) }) }
      }
    }
    #expect(ratio < ScalingMeter.limit)
  }

  @Test func manyAtOnce() throws {
    let store = Store(try Press(articles: (0..<10_000).map { PressArticle(id: $0) }))
    try store.write { $0.articles.removeAll { $0.id % 2 == 0 } }
    #expect(store.read { $0.deletedArticles.count == 5_000 && $0.allViolations() == [] })
  }

  // MARK: Beside others

  @Test func theCommitOfAScratchpad() throws {
    let pad = store.scratchpad()
    let inner = pad.scratchpad()
    try inner.write { _ = $0.articles.remove(1) }
    try inner.commit()
    try store.write { _ = $0.articles.remove(2) }
    try pad.commit()
    #expect(check().deletions == [1: .day(10), 2: .day(20, plus: 1)])
  }

  @Test func aScratchpadThatKeepsWhatTheStoreRemoves() throws {
    let pad = store.scratchpad()
    try pad.write { try $0.articles.update(1) { $0.text = "kept" } }
    try store.write { _ = $0.articles.remove(1) }
    try pad.commit(policy: .newest)
    #expect(check().deletions.isEmpty && check().articles[1]?.changed == .day(10, plus: 1))
  }

  @Test func aBackgroundBlock() async throws {
    let store = store
    try await store.performBackground { value in
      value.articles.removeAll { $0.id != 3 }
      let ended = DispatchSemaphore(value: 0)
      Thread {
        #expect(throws: Never.self) { try store.write { try $0.articles.insert(PressArticle(id: 4)) } }
        ended.signal()
      }.start()
      ended.wait()
    }
    #expect(check().deletions == [1: .day(10), 2: .day(20, plus: 1)] && check().articles.ids == [3, 4])
  }

  // MARK: Undo

  @Test func theUndoOfADeletion() throws {
    let history = UndoHistory(of: store, now: { .day(11) })
    try store.write { $0.articles.removeAll { $0.id < 3 } }
    try history.undo()
    #expect(check().deletions.isEmpty && check().articles[1]?.changed == .day(11))
    // Another copy with the tombstone sees the article as newer.
    #expect(check().articles[2]?.changed == .day(20, plus: 2))
    try history.redo()
    #expect(check().deletions == [1: .day(11, plus: 1), 2: .day(20, plus: 3)])
  }

  @Test func theUndoOfAnInsertion() throws {
    let history = UndoHistory(of: store, now: { .day(11) })
    try store.write { try $0.articles.insert(PressArticle(id: 4, changed: .day(10))) }
    try history.undo()
    #expect(check().deletions == [4: .day(10, plus: 1)])
    try history.redo()
    #expect(check().deletions.isEmpty && check().articles[4]?.changed == .day(11))
  }

  @Test func theUndoOfAnInsertionThatCameBack() throws {
    try store.write { _ = $0.articles.remove(1) }
    let history = UndoHistory(of: store, now: { .day(11) })
    try store.write { try $0.articles.insert(PressArticle(id: 1, changed: .day(12))) }
    try history.undo()
    #expect(check().deletions == [1: .day(12, plus: 1)])
  }

  // A restored tombstone with a new date would win against changes made between the two dates.
  @Test func theUndoOfPruning() throws {
    try store.write { _ = $0.articles.remove(1) }
    let history = UndoHistory(of: store, now: { .day(15) })
    try store.write { $0.deletedArticles.prune(before: .day(14)) }
    try history.undo()
    #expect(check().deletions == [1: .day(10)])
  }

  @Test func theUndoBesideAnothersChange() throws {
    let history = UndoHistory(of: store, excluding: ["other"], now: { .day(11) })
    try store.write { try $0.articles.insert(PressArticle(id: 4)) }
    try store.write(origin: "other") { _ = $0.articles.remove(1) }
    try history.undo()
    #expect(check().deletions == [1: .day(10), 4: .day(10)])
  }
}
