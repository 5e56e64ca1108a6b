import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// A copy that was edited elsewhere is merged without undoing changes made in the meantime.
struct DetachedNoteTests {
  private static func notebook() throws -> (notebook: Notebook, base: Note) {
    var notebook = try Notebook.small()
    notebook.tag(named: "Rome")
    return (notebook, try #require(notebook.notes[1000]))
  }

  @Test func eachSideKeepsWhatItAloneChanged() throws {
    var (notebook, base) = try Self.notebook()
    var copy = base
    copy.setText("Copy", at: .day(2))
    copy.setTags(["rome"], at: .day(3))
    notebook.goTo(day: 5)
    try notebook.archive(1000)
    try notebook.setAttachments(["photo"], of: 1000)
    let meanwhile = try #require(notebook.notes[1000])
    let outcome = try notebook.merge(detached: copy, base: base)

    var expected = meanwhile
    expected.text = "Copy"
    expected.textModificationDate = .day(2)
    expected.tags = ["rome"]
    expected.tagsModificationDate = .day(3)
    #expect(outcome == NoteMerge(note: expected, taken: [.text, .tags]))
    #expect(notebook.notes[1000] == expected)
    #expect(notebook.notes(tagged: "rome").map(\.id) == [1000])
    #expect(expected.modificationDate == .day(5))
    #expect(notebook.allViolations() == [])

    // Saved once more, it changes nothing.
    let saved = notebook
    #expect(try notebook.merge(detached: copy, base: base).taken == [])
    #expect(notebook.hasSameTables(as: saved))
  }

  struct Side: Sendable, CustomTestStringConvertible {
    let property: NoteMerge.Property
    let date: any KeyPath<Note, Date?> & Sendable
    let isOne: @Sendable (Note) -> Bool
    let set: @Sendable (inout Note, _ isOne: Bool, Date) -> Void
    var testDescription: String { property.rawValue }
  }

  static let sides = [
    Side(
      property: .text, date: \.textModificationDate, isOne: { $0.text == "1" },
      set: { $0.setText($1 ? "1" : "2", at: $2) }),
    Side(
      property: .sortDate, date: \.sortDateModificationDate, isOne: { $0.sortDate == .day(21) },
      set: { $0.setSortDate(.day($1 ? 21 : 22), at: $2) }),
  ]

  /// Both changed one property: the notebook's value stays if it is later, and every rejected value is named.
  @Test func theLaterChangeOfOnePropertyCounts() {
    each(Self.sides, [1, 2, 3]) { (side: Side, dayOfNotebook: Int) throws in
      var (notebook, base) = try Self.notebook()
      var copy = base
      side.set(&copy, true, .day(2))
      var meanwhile = base
      side.set(&meanwhile, false, .day(dayOfNotebook))
      try notebook.upsert(meanwhile)
      let outcome = try notebook.merge(detached: copy, base: base)
      let note = try #require(notebook.notes[1000])
      #expect(outcome.note == note)
      if dayOfNotebook > 2 {
        #expect(note == meanwhile)
        #expect(outcome == NoteMerge(note: note, leftOut: [side.property]))
      } else {
        #expect(side.isOne(note) && note[keyPath: side.date] == .day(2) && note.modificationDate == .day(2))
        #expect(outcome == NoteMerge(note: note, taken: [side.property], overwritten: [side.property]))
      }
      #expect(notebook.allViolations() == [])
    }
  }

  /// In the meantime a tag was renamed, and another one added. Each tag is merged on its own, whichever side was later.
  @Test(arguments: [2, 9])
  func tagsAreMergedOneByOne(day: Int) throws {
    var (notebook, base) = try Self.notebook()
    var copy = base
    copy.setTags(["new york", "rome"], at: .day(day))
    notebook.goTo(day: 5)
    try notebook.renameTag("new york", to: "Manhattan")
    let outcome = try notebook.merge(detached: copy, base: base)
    #expect(outcome.note.tags == ["manhattan", "rome"])
    #expect(outcome.taken == [.tags] && outcome.overwritten == [] && outcome.leftOut == [])
    #expect(outcome.note.tagsModificationDate == .day(max(day, 5)))
    #expect(notebook.allViolations() == [])
  }

  @Test func theSameChangeOnBothSidesIsNoConflict() throws {
    var (notebook, base) = try Self.notebook()
    var copy = base
    for side in Self.sides { side.set(&copy, true, .day(4)) }
    copy.setArchived(true, at: .day(4))
    var meanwhile = base
    for side in Self.sides { side.set(&meanwhile, true, .day(3)) }
    meanwhile.setArchived(true, at: .day(3))
    try notebook.upsert(meanwhile)
    let before = notebook
    #expect(try notebook.merge(detached: copy, base: base) == NoteMerge(note: meanwhile))
    #expect(notebook.hasSameTables(as: before))
    #expect(notebook.allViolations() == [])
  }

  /// A text in another normalisation is another text.
  @Test func textsAreComparedExactly() throws {
    var notebook = Notebook.empty()
    let base = try notebook.addNote(text: "caf\u{E9}")
    var copy = base
    copy.setText("cafe\u{301}", at: .day(2))
    #expect(try notebook.merge(detached: copy, base: base).taken == [.text])
    #expect(notebook.notes[base.id]?.text.utf8.count == 6)
    #expect(notebook.allViolations() == [])
  }

  @Test func whatWasDeletedMeanwhileComesOffTheCopy() throws {
    var (notebook, base) = try Self.notebook()
    var copy = base
    copy.addTag("rome", at: .day(2))
    copy.setAttachments(["photo", "film"], at: .day(2))
    notebook.goTo(day: 1)
    try notebook.deleteTag("paris")
    try notebook.deleteAttachment("film")
    let outcome = try notebook.merge(detached: copy, base: base)
    #expect(outcome.note.tags == ["new york", "rome"])
    #expect(outcome.note.attachments == ["photo"])
    #expect(outcome.overwritten == [] && outcome.leftOut == [])
    #expect(notebook.allViolations() == [])
  }

  @Test func whatCannotBeSavedIsRefused() throws {
    var (notebook, base) = try Self.notebook()
    var copy = base
    copy.addTag("rome", at: .day(2))
    try notebook.deleteTag("rome")
    var before = notebook
    expectRefusal(.recordNotFound) { try notebook.merge(detached: copy, base: base) }
    copy = base
    copy.setText("Copy", at: Date(timeIntervalSinceReferenceDate: .infinity))
    expectRefusal(.invalidValue) { try notebook.merge(detached: copy, base: base) }
    #expect(notebook.hasSameTables(as: before))

    // A deleted note returns only on request.
    notebook.deleteNotes([1000])
    before = notebook
    copy.setText("Copy", at: .day(2))
    expectRefusal(.recordNotFound) { try notebook.merge(detached: copy, base: base) }
    #expect(notebook.hasSameTables(as: before))
    #expect(notebook.allViolations() == [])
  }

  @Test func twoNotesAreAProgrammerError() async {
    await #expect(processExitsWith: .failure) {
      var notebook = try Notebook.small()
      if let a = notebook.notes[1000], let b = notebook.notes[1001] { try notebook.merge(detached: a, base: b) }
    }
  }

  /// The example of the documentation, with an edit on another thread.
  @Test func aCopyIsEditedOnAnotherThread() async throws {
    let store = Store(try Notebook.small())
    let base = try #require(store.read { $0.notes[1000] })
    let copy = await Task.detached {
      var copy = base
      copy.setText("Closed on Mondays", at: .day(2))
      return copy
    }.value
    try store.write { try $0.archive(1000) }
    let outcome = try store.write { try $0.merge(detached: copy, base: base) }
    #expect(outcome.taken == [.text])
    let note = try #require(store.read { $0.notes[1000] })
    #expect(note.text == "Closed on Mondays" && note.archived)
    // As a whole it would have been unarchived.
    try store.write { try $0.upsert(copy) }
    #expect(store.read { $0.notes[1000] } == copy)
    #expect(store.snapshot().value.allViolations() == [])
  }
}
