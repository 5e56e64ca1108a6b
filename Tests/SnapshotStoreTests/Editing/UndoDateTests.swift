import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Records that an undo restores have a new date, whatever their type.
struct UndoDateTests {
  struct Page: Record {
    let id: Int
    var title = ""
    var titleChanged: Date?
    var body = ""
    var bodyVersion = 0
    var links: [String] = []
    var changed = Date.day(1)

    static let mergeRules: [MergeRule] = [
      .together(["title"], modified: "titleChanged"), .together(["body"], modified: "bodyVersion"),
      .modified("changed"),
    ]
  }

  struct Pages: Model {
    var pages = Table<Page>()
    static let schema = Schema<Pages>("pages", version: 1, Field("pages", \.pages))
  }

  private let store = Store(Pages())
  private let history: UndoHistory<Pages>

  init() throws {
    history = UndoHistory(of: store, now: { .day(9) })
    try store.write(origin: .file) { try $0.pages.insert(Page(id: 1, title: "old", body: "old", bodyVersion: 4)) }
  }

  private func page() throws -> Page { try #require(store.read { $0.pages[1] }) }

  @Test func onlyWhatIsBroughtBackHasANewDate() throws {
    try store.write {
      try $0.pages.update(1) { page in
        page.title = "new"
        page.titleChanged = .day(2)
        page.changed = .day(2)
      }
    }
    try history.undo()
    #expect(
      try page() == Page(id: 1, title: "old", titleChanged: .day(9), body: "old", bodyVersion: 4, changed: .day(9)))
    // The clock stands still, but each date is later than the one before.
    try history.redo()
    #expect(try page().title == "new" && page().titleChanged == .day(9, plus: 1) && page().changed == .day(9, plus: 1))
    try history.undo()
    #expect(try page().title == "old" && page().titleChanged == .day(9, plus: 2))
  }

  @Test func anEarlierClockGivesALaterDate() throws {
    try store.write {
      try $0.pages.update(1) { page in
        page.title = "new"
        page.titleChanged = .day(20)
      }
    }
    try history.undo()
    #expect(try page().titleChanged == .day(20, plus: 1))
  }

  // Of two numbers, the greater one counts as newer.
  @Test func numbersCountOn() throws {
    try store.write {
      try $0.pages.update(1) { page in
        page.body = "new"
        page.bodyVersion = 5
      }
    }
    try history.undo()
    #expect(try page().body == "old" && page().bodyVersion == 6 && page().titleChanged == nil)
    try store.write {
      try $0.pages.update(1) { page in
        page.body = "last"
        page.bodyVersion = .max
      }
    }
    try history.undo()
    #expect(try page().body == "old" && page().bodyVersion == .max)
  }

  struct Measure: Record {
    let id: Int
    var value: Int
    /// Numbers as dates: one of them is not set.
    var stamp = 1.5
    var count: Int?
    static let mergeRules: [MergeRule] = [.modified("stamp"), .together(["value"], modified: "count")]
  }

  struct Measures: Model {
    var measures = Table<Measure>()
    static let schema = Schema<Measures>("measures", version: 1, Field("measures", \.measures))
  }

  /// A number that is missing cannot be filled with a date. The other dates of the record are set all the same.
  @Test(arguments: [(1.5, 2.5), (0x1p60, (0x1p60).nextUp)])
  func realsCountOn(stamp: Double, next: Double) throws {
    var measures = Measures()
    try measures.measures.insert(Measure(id: 1, value: 1, stamp: stamp))
    let before = measures
    try measures.measures.update(1) { $0.value = 2 }
    measures.renewDates(since: before, at: .day(9))
    #expect(measures.measures[1] == Measure(id: 1, value: 2, stamp: next, count: nil))
  }

  @Test func aRecordThatIsBackIsNewAsAWhole() throws {
    try store.write { _ = $0.pages.remove(1) }
    try history.undo()
    #expect(
      try page() == Page(id: 1, title: "old", titleChanged: .day(9), body: "old", bodyVersion: 5, changed: .day(9)))
  }

  // A property without a rule still belongs to the record.
  @Test func aPropertyWithoutARuleRenewsTheRecord() throws {
    try store.write { try $0.pages.update(1) { $0.links = ["a"] } }
    try history.undo()
    #expect(try page().links == [] && page().changed == .day(9) && page().titleChanged == nil)
    #expect(store.read { $0.allViolations() } == [])
  }

  // A merge by the newest must not revert the undo.
  @Test func aMergeByTheNewestKeepsTheUndo() throws {
    let base = store.snapshot().value
    try store.write {
      try $0.pages.update(1) { page in
        page.title = "new"
        page.titleChanged = .day(2)
        page.changed = .day(2)
      }
    }
    let other = store.snapshot().value
    try history.undo()
    let (value, _, _) = Pages.merging(base: base, ours: store.snapshot().value, theirs: other, policy: .newest)
    #expect(value.pages[1]?.title == "new", "of one base, what only one side has changed is taken")
    let merged = Pages.merging(base: Pages(), ours: other, theirs: store.snapshot().value, policy: .newest)
    #expect(merged.value.pages[1]?.title == "old")
  }
}
