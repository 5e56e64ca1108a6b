import Dispatch
import Foundation
import Synchronization
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Models within models: an app's own root around the notebook, and two parts of one type.
struct PartTests {
  @Test func theWholeIsSavedAndOpened() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let test = StoreUnderTest()
      let store = try test.open(Journal.self, .manual, format: format)
      try store.write { $0 = try Journal.example() }
      try store.flushAndWait()
      try store.write { _ = try $0.notebook.addNote(text: "Another") }
      try store.flushAndWait()
      #expect(try test.bytes == SnapshotFile.encode(store.snapshot().value, as: format))
      try store.closeAndWait()
      let reopened = try test.open(Journal.self, .manual)
      let value = reopened.snapshot().value
      #expect(value.notebook.notes.map(\.text) == ["A walk", "Another"])
      #expect(value.notebook.existingTag(named: "paris")?.name == "Paris")
      #expect(value.places.count == 1 && value.theme == "dark")
      #expect(value.isStoredLike(store.snapshot().value))
      #expect(value.allViolations() == [])
    }
  }

  @Test func theFieldsStandInTheOrderOfTheSchema() {
    #expect(Journal.schema.fields.map(\.name) == ["attachments", "deletedNotes", "notes", "tags", "places", "theme"])
    #expect(Bookcases.schema.fields.map(\.name) == ["books", "label", "lent", "club.books", "club.label", "club.lent"])
    #expect(Journal.schema.tableReferences != nil)
  }

  @Test func differencesAndChangeSetsHaveThem() throws {
    let before = try Journal.example()
    var after = before
    try after.notebook.setText("A long walk", of: 1000)
    #expect(try ModelDifference(from: before, to: after).lines.first == "~ notes 1000")
    let changes = ChangeSet(before: before, after: after, revision: 1)
    #expect(changes.changes(in: \.notebook.notes).map(\.id) == [1000])
  }

  // MARK: Hooks of a part

  @Test func theWholeIsCheckedWithItsParts() throws {
    var journal = try Journal.example()
    journal.notebook.tags.remove("paris")
    #expect(journal.allViolations() == ["notes 1000: its tag “paris” does not exist"])
    var bookcases = Bookcases()
    try bookcases.own.books.insert(Bookcase.Book(id: -1, title: "a", isLent: false))
    try bookcases.club.books.insert(Bookcase.Book(id: -2, title: "a", isLent: false))
    #expect(bookcases.allViolations() == ["books -1: its id is negative", "club.books -2: its id is negative"])
    bookcases = Bookcases()
    try bookcases.club.books.insert(Bookcase.Book(id: 1, title: "", isLent: false))
    #expect(bookcases.allViolations() == ["club.books 1: it has no title"])
  }

  @Test func aTagThatOneSideDeletedAndTheOtherUsesIsTakenBack() throws {
    let base = try Journal.example()
    var (ours, theirs) = (base, base)
    try ours.notebook.deleteTag("paris")
    _ = try theirs.notebook.addNote(text: "Again", tags: ["paris"])
    let merge = Journal.merging(base: base, ours: ours, theirs: theirs)
    #expect(merge.repaired.map(\.place) == ["tags “paris”"])
    #expect(merge.value.allViolations() == [])
  }

  @Test func whatIsSalvagedIsRepaired() throws {
    let bytes = try SnapshotFile.encode(Journal.example(), as: .json)
    let text = String(decoding: bytes, as: UTF8.self).replacingOccurrences(of: #""name":"Paris""#, with: #""name":7"#)
    let salvaged = try Salvaged<Journal>(of: Array(text.utf8))
    #expect(salvaged.value.notebook.tags.map(\.id) == ["paris"] && salvaged.value.theme == "dark")
    #expect(salvaged.value.allViolations() == [])
  }

  /// Records that were deleted in the part are not restored from an older version.
  @Test func whatIsLostComesFromAnOlderVersion() throws {
    let older = try Journal.example()
    var newer = older
    newer.notebook.deleteNotes([1000])
    let bytes = try SnapshotFile.encode(newer, as: .json)
    let text = String(decoding: bytes, as: UTF8.self).replacingOccurrences(of: "\"dark\"", with: "da")
    let filled = try Salvaged<Journal>(of: Array(text.utf8)).filled(from: SnapshotContent(older))
    #expect(filled.content.value.isStoredLike(newer))
    #expect(filled.taken.map(\.table) == ["theme"])
  }

  /// A note that an undo restores is newer than its tombstone. A note that an undo removes leaves one. Both are as in a
  /// notebook by itself.
  @Test func anUndoIsDatedByThePart() throws {
    let store = Store(try Journal.example())
    let history = UndoHistory(of: store)
    try history.perform("Delete") { $0.notebook.deleteNotes([1000]) }
    #expect(store.read { $0.notebook.notes.isEmpty && $0.places.isEmpty && $0.notebook.deletedNotes.contains(1000) })
    _ = try history.undo()
    let value = store.snapshot().value
    #expect(value.notebook.notes.map(\.id) == [1000] && value.places.count == 1)
    #expect(value.notebook.deletedNotes.isEmpty)
    // By the notebook's clock, which stands still, and not by that of the history. The deletion counts as a second
    // later than the note, and the note as a second later than the deletion.
    #expect(value.notebook.notes[1000]?.textModificationDate == Date(timeIntervalSinceReferenceDate: 1002))
    #expect(value.allViolations() == [])
  }

  /// Both sides draw ids beside the tables.
  @Test func aBlockThatAddsNotesRunsOnceBesideOthersThatDo() async throws {
    var journal = Journal()
    journal.notebook.sources.nextNoteID = sequentialNoteIDs(first: 5000)
    let store = Store(journal)
    try store.write { $0.notebook.sources.nextNoteID = nil }
    let runs = Mutex(0)
    try await store.performBackground { [store] value in
      runs.withLock { $0 += 1 }
      value.notebook.sources.nextNoteID = sequentialNoteIDs(first: 2000)
      _ = try value.notebook.addNote(text: "in the background")
      let ended = DispatchSemaphore(value: 0)
      Thread {
        #expect(throws: Never.self) { try store.write { _ = try $0.notebook.addNote(text: "beside") } }
        ended.signal()
      }.start()
      ended.wait()
    }
    #expect(runs.withLock { $0 } == 1)
    let value = store.snapshot().value
    #expect(Set(value.notebook.notes.map(\.text)) == ["in the background", "beside"])
    #expect(value.allViolations() == [])
  }

  /// State of the whole beside its fields is still in conflict if both sides changed it, and kept if one did.
  @Test(arguments: [false, true]) func whatTheWholeHasBesideItsPartsIsKept(_ isBoth: Bool) async throws {
    let store = Store(Journal())
    let runs = Mutex(0)
    try await store.performBackground { [store] value in
      let run = runs.withLock {
        $0 += 1
        return $0
      }
      value.counter += 1
      _ = try value.notebook.addNote(text: "in the background")
      if run > 1 { return }
      let ended = DispatchSemaphore(value: 0)
      Thread {
        #expect(throws: Never.self) {
          try store.write {
            _ = try $0.notebook.addNote(text: "beside")
            if isBoth { $0.counter += 10 }
          }
        }
        ended.signal()
      }.start()
      ended.wait()
    }
    #expect(runs.withLock { $0 } == (isBoth ? 2 : 1))
    #expect(store.read { $0.counter } == (isBoth ? 11 : 1))
    #expect(store.read { $0.notebook.notes.count } == 2)
  }

  /// A model with state without `==` beside its fields, and padding between them.
  private struct Clocked: Model {
    var items = Table<Counter>()
    var isDark = false
    var now: @Sendable () -> Date = { Date() }
    static let schema = Schema<Clocked>(
      "clocked", version: 1,
      Field("items", \.items),
      Field("isDark", \.isDark))
  }

  @Test func whatNobodyChangedIsInNoConflict() async throws {
    let store = Store(Clocked())
    let runs = Mutex(0)
    try await store.performBackground { [store] value in
      runs.withLock { $0 += 1 }
      try value.items.upsert(Counter(id: 1, value: 1))
      let ended = DispatchSemaphore(value: 0)
      Thread {
        #expect(throws: Never.self) { try store.write { try $0.items.upsert(Counter(id: 2, value: 1)) } }
        ended.signal()
      }.start()
      ended.wait()
    }
    #expect(runs.withLock { $0 } == 1)
    #expect(store.read { $0.items.count } == 2)
    #expect(store.snapshot().value.allViolations() == [])
  }

  // MARK: Rules, validations, defaults

  @Test func rulesAndValidationsOfTheWholeSeeTheTablesOfAPart() throws {
    let store = Store(try Journal.example())
    try store.write { $0.notebook.deleteNotes([1000]) }
    #expect(store.read { $0.places.isEmpty })
    let refusal = #expect(throws: TransactionRefusal.self) {
      try store.write { _ = try $0.notebook.addNote(text: "a forbidden word") }
    }
    #expect(refusal?.violations.map(\.message) == ["it has a forbidden word"])
    #expect(refusal?.violations.first?.place.hasPrefix("notes ") == true)
  }

  @Test func rulesValidationsAndDefaultsOfThePartsHold() throws {
    let text = """
      {"snapshot":{"schema":"bookcases","version":1},
      "books":[{"id":1,"title":"a"}],"label":"l","lent":0,
      "club.books":[{"id":1,"title":"b"},{"id":2,"title":"c","isLent":true}],"club.label":"c","club.lent":1}
      """
    let value = try SnapshotFile.decode(Bookcases.self, from: Array(text.utf8))
    #expect(value.own.books[1]?.isLent == false && value.club.books.count == 2 && value.club.label == "c")
    let store = Store(value)
    try store.write { try $0.club.books.update(1) { $0.isLent = true } }
    let lent = store.read { ($0.own.lentCount, $0.club.lentCount) }
    #expect(lent == (0, 2))
    let refusal = #expect(throws: TransactionRefusal.self) {
      try store.write { try $0.club.books.update(1) { $0.title = "" } }
    }
    #expect(refusal?.violations.map(\.place) == ["club.books 1"])
    #expect(store.snapshot().value.allViolations() == [])
  }

  /// A path that other modules can only read also finds the tables of a part.
  @Test func liveQueriesFollowThePart() async throws {
    let store = Store(try Journal.example())
    let path: any KeyPath<Journal, Table<Note>> & Sendable = Journal.readPath
    #expect(Journal.schema.name(of: path) == "notes")
    #expect(LiveSource(store, path).watch === LiveSource(store, \Journal.notebook.notes).watch)
  }
}
