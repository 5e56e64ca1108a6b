import Dispatch
import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// The hooks of a model after merges, losses and undos, and models without hooks.
struct RepairingModelTests {
  struct Shelf: Record {
    let id: Int
    var name = ""
  }

  struct Book: Record {
    let id: Int
    var shelf: Int
    var changed = 0
    static let mergeRules: [MergeRule] = [.modified("changed")]
  }

  /// A model with references but without hooks to repair them.
  struct Plain: Model {
    var shelves = Table<Shelf>()
    var books = Table<Book>()
    @Transient var counter = 0
    static let schema = Schema<Plain>(
      "plain", version: 1,
      Field("shelves", \.shelves),
      Field("books", \.books))
  }

  /// The same with all hooks.
  struct Repaired: RepairingModel {
    var shelves = Table<Shelf>()
    var books = Table<Book>()
    @Transient var counter = 0
    static let schema = Schema<Repaired>(
      "repaired", version: 1,
      Field("shelves", \.shelves),
      Field("books", \.books))

    mutating func repair() -> [Violation] {
      let lost = books.filter { !shelves.contains($0.shelf) }
      books.remove(lost.map(\.id))
      return lost.map { Violation(place: "books \($0.id)", message: "removed") }
    }

    mutating func restoreReferenced(from values: [Repaired]) -> [Violation] {
      let missing = Set(books.map(\.shelf)).filter { !shelves.contains($0) }.sorted()
      return missing.compactMap { id in
        guard let shelf = values.lazy.compactMap({ $0.shelves[id] }).first else { return nil }
        return (try? shelves.insert(shelf)).map { Violation(place: "shelves \(id)", message: "taken back") }
      }
    }

    mutating func dateUndo(since before: Repaired, at date: Date) {
      for change in books.changes(from: before.books) {
        if var book = change.after {
          book.changed = 77
          _ = try? books.upsert(book)
        }
      }
    }

    mutating func mergeUnsaved(base: Repaired, theirs: Repaired) -> Bool {
      counter += theirs.counter - base.counter
      return true
    }
  }

  /// A model that has hooks only where its records have links.
  struct Shelved<Item: Record>: Model {
    var items = Table<Item>()
    static var schema: Schema<Shelved> { Schema("shelved", version: 1, Field("items", \.items)) }
  }

  /// Two models as parts.
  struct Both: Model {
    var plain = Plain()
    var repaired = Repaired()
    static let schema = Schema<Both>(
      "both", version: 1,
      Field(part: \.plain, prefix: "plain."),
      Field(part: \.repaired))
  }

  @Test func aModelIsAskedForItsHooksAndFoundWithoutThem() {
    #expect(Plain.schema.repairHooks == nil)
    #expect(Repaired.schema.repairHooks != nil)
    #expect(Both.schema.repairHooks == nil)
    #expect(Shelved<Shelf>.schema.repairHooks == nil)
    #expect(Shelved<Book>.schema.repairHooks != nil)
  }

  @Test func aMergeRepairsOnlyWhereAModelDoes() throws {
    var base = Both()
    try base.plain.shelves.insert(Shelf(id: 1))
    try base.repaired.shelves.insert(Shelf(id: 1, name: "taken back"))
    var (ours, theirs) = (base, base)
    ours.plain.shelves.removeAll()
    ours.repaired.shelves.removeAll()
    try theirs.plain.books.insert(Book(id: 2, shelf: 1))
    try theirs.repaired.books.insert(Book(id: 2, shelf: 1))
    try theirs.repaired.books.insert(Book(id: 3, shelf: 9))
    let merge = Both.merging(base: base, ours: ours, theirs: theirs)
    #expect(merge.repaired.map(\.place) == ["shelves 1", "books 3"])
    #expect(merge.value.repaired.shelves[1]?.name == "taken back")
    #expect(merge.value.plain.shelves.isEmpty && merge.value.plain.books.count == 1)
    #expect(merge.value.allViolations() == [])
  }

  /// A merge that leaves out no record and in which only one side has added some cannot break anything. What that side
  /// has made stays as it is, even if its program was stopped halfway.
  @Test func whatOneSideHasMadeIsNotRepaired() throws {
    var base = Repaired()
    try base.books.insert(Book(id: 1, shelf: 1))
    try base.shelves.insert(Shelf(id: 1))
    var (ours, theirs) = (base, base)
    try ours.shelves.insert(Shelf(id: 2))
    try ours.books.insert(Book(id: 2, shelf: 9))
    try theirs.shelves.update(1) { $0.name = "new" }
    for (one, other) in [(ours, theirs), (theirs, ours)] {
      let merge = Repaired.mergingWhole(base: base, ours: one, theirs: other, policy: .ours)
      #expect(merge.repaired == [])
      #expect(merge.value.books.map(\.id) == [1, 2] && merge.value.shelves[1]?.name == "new")
    }
  }

  /// Nothing in a model without hooks can be repaired. So its large changes are merged while others write, also those
  /// that remove records.
  @Test func aModelWithoutHooksNeverNeedsRepair() throws {
    var after = Both()
    try after.plain.shelves.insert(Shelf(id: 1))
    let changes = ChangeSet(before: Both(), after: after, revision: 0)
    #expect(!after.plain.mayNeedRepairAsWhole(after: ChangeSet(before: Plain(), after: after.plain, revision: 0)))
    #expect(after.mayNeedRepairAsWhole(after: changes), "a model with hooks may need it, unless it says no")
  }

  @Test func salvageRepairs() throws {
    let text = """
      {"snapshot":{"schema":"repaired","version":1},"shelves":[{"id":"damaged","name":""}],"books":[
      {"id":1,"shelf":1,"changed":0}
      ]}
      """
    let salvaged = try Salvaged<Repaired>(of: Array(text.utf8))
    #expect(salvaged.value.books.isEmpty)
    let plain = try Salvaged<Plain>(of: Array(text.replacing("repaired", with: "plain").utf8))
    #expect(plain.value.books.count == 1)
    #expect(salvaged.value.allViolations() == [] && plain.value.allViolations() == [])
  }

  @Test func anUndoIsDatedByTheHookOrByTheRules() throws {
    let repaired = Store(Repaired())
    try repaired.write { try $0.books.insert(Book(id: 1, shelf: 0, changed: 5)) }
    let history = UndoHistory(of: repaired)
    try history.perform("Move") { try $0.books.update(1) { $0.shelf = 1 } }
    _ = try history.undo()
    #expect(repaired.read { $0.books[1] } == Book(id: 1, shelf: 0, changed: 77))

    let plain = Store(Plain())
    try plain.write { try $0.books.insert(Book(id: 1, shelf: 0, changed: 5)) }
    let plainHistory = UndoHistory(of: plain)
    try plainHistory.perform("Move") { try $0.books.update(1) { $0.shelf = 1 } }
    _ = try plainHistory.undo()
    #expect(plain.read { $0.books[1] } == Book(id: 1, shelf: 0, changed: 6))
    #expect(repaired.snapshot().value.allViolations() == [] && plain.snapshot().value.allViolations() == [])
  }

  /// Both sides change a counter beside the tables. Without the hook that is a conflict, and the block runs again.
  @Test func whatStandsBesideTheTablesIsMergedByTheHook() async throws {
    func runs<Root: Model>(_ counter: any WritableKeyPath<Root, Int> & Sendable) async throws -> (runs: Int, count: Int)
    {
      let store = Store(Root())
      let runs = Mutex(0)
      try await store.performBackground { [store] value in
        value[keyPath: counter] += 1
        let isFirst = runs.withLock { count in
          count += 1
          return count == 1
        }
        guard isFirst else { return }
        let ended = DispatchSemaphore(value: 0)
        Thread {
          #expect(throws: Never.self) { try store.write { $0[keyPath: counter] += 10 } }
          ended.signal()
        }.start()
        ended.wait()
      }
      #expect(store.snapshot().value.allViolations() == [])
      return (runs.withLock { $0 }, store.read { $0[keyPath: counter] })
    }
    #expect(try await runs(\Repaired.counter) == (1, 11))
    #expect(try await runs(\Plain.counter) == (2, 11))
  }

  /// Nothing was removed. But what one side has added may contradict what the other has added to another table.
  @Test func additionsToTwoTablesAreRepaired() throws {
    let store = Store(Repaired())
    let pad = store.scratchpad()
    try pad.write { try $0.books.insert(Book(id: 2, shelf: 9)) }
    try store.write { try $0.shelves.insert(Shelf(id: 1)) }
    #expect(try pad.commit().repaired.map(\.place) == ["books 2"])
    #expect(store.read { $0.shelves.map(\.id) == [1] && $0.books.isEmpty })
    #expect(store.snapshot().value.allViolations() == [])
  }
}

extension RepairingModelTests.Shelved: RepairingModel where Item == RepairingModelTests.Book {}
