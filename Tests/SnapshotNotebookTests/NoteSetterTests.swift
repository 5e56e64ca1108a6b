import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// A setter changes its property, that property's date and the note's; or it changes nothing at all.
struct NoteSetterTests {
  /// One property with its setters, on a note alone and in a notebook, for two different values.
  struct Property: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let date: any KeyPath<Note, Date?> & Sendable
    let set: @Sendable (inout Note, _ isOther: Bool, Date) -> Bool
    let setInNotebook: @Sendable (inout Notebook, _ isOther: Bool, Note.ID) throws -> Bool
  }

  static let properties = [
    Property(
      testDescription: "text", date: \.textModificationDate,
      set: { $0.setText($1 ? "Other" : "First", at: $2) },
      setInNotebook: { try $0.setText($1 ? "Other" : "First", of: $2) }),
    Property(
      testDescription: "archived", date: \.archivedModificationDate,
      set: { $0.setArchived($1, at: $2) },
      setInNotebook: { try $0.setArchived($1, of: $2) }),
    Property(
      testDescription: "sortDate", date: \.sortDateModificationDate,
      set: { $0.setSortDate(.day($1 ? 20 : 1), at: $2) },
      setInNotebook: { try $0.setSortDate(.day($1 ? 20 : 1), of: $2) }),
    Property(
      testDescription: "tags", date: \.tagsModificationDate,
      set: { $0.setTags($1 ? ["new york", "paris", "new york"] : ["paris", "new york", "paris"], at: $2) },
      setInNotebook: { try $0.setTags($1 ? ["new york"] : ["paris", "new york", "paris"], of: $2) }),
    Property(
      testDescription: "attachments", date: \.attachmentsModificationDate,
      set: { $0.setAttachments($1 ? [] : ["film", "film", "photo"], at: $2) },
      setInNotebook: { try $0.setAttachments($1 ? [] : ["film", "film", "photo"], of: $2) }),
  ]

  @Test func aSetterTouchesItsOwnDates() {
    each(Self.properties) { (property: Property) throws in
      let before = try #require(try Notebook.small().notes[1000])
      var note = before
      #expect(!property.set(&note, false, .day(2)))
      #expect(note == before)

      #expect(property.set(&note, true, .day(3)))
      expectDates(of: note, are: .day(3), for: property)
      // The same value again, later: the dates of the change stay.
      #expect(!property.set(&note, true, .day(4)))
      expectDates(of: note, are: .day(3), for: property)
      #expect(property.set(&note, false, .day(5)))
      expectDates(of: note, are: .day(5), for: property)
      #expect(note.text == before.text && note.archived == before.archived && note.sortDate == before.sortDate)
      #expect(note.tags == before.tags && note.attachments == before.attachments)
    }
  }

  @Test func theSetterOfANotebookDoesTheSame() {
    each(Self.properties) { (property: Property) throws in
      var notebook = try Notebook.small()
      notebook.goTo(day: 2)
      let before = notebook
      #expect(try !property.setInNotebook(&notebook, false, 1000))
      #expect(notebook.hasSameTables(as: before))

      notebook.goTo(day: 3)
      #expect(try property.setInNotebook(&notebook, true, 1000))
      expectDates(of: try #require(notebook.notes[1000]), are: .day(3), for: property)
      #expect(notebook.notes[1001] == before.notes[1001])
      #expect(notebook.notes.changes(from: before.notes).map(\.id) == [1000])
      #expect(notebook.tags.isIdentical(to: before.tags))
      #expect(notebook.attachments.isIdentical(to: before.attachments))

      let changed = notebook
      notebook.goTo(day: 4)
      #expect(try !property.setInNotebook(&notebook, true, 1000))
      #expect(notebook.hasSameTables(as: changed))
      expectRefusal(.recordNotFound) { _ = try property.setInNotebook(&notebook, true, 77) }
      #expect(notebook.hasSameTables(as: changed))
      #expect(notebook.allViolations() == [])
    }
  }

  /// The property was last changed by a fast clock. The new change still counts as newer.
  @Test func datesNeverGoBack() {
    each(Self.properties) { (property: Property) throws in
      var note = try #require(try Notebook.small().notes[1000])
      _ = property.set(&note, true, .day(9))
      #expect(property.set(&note, false, .day(3)))
      #expect(note[keyPath: property.date] == .day(9, plus: 1))
      #expect(note.modificationDate == .day(9, plus: 1))
    }
  }

  /// Another property gets the given date. The note's own date stays the latest.
  @Test func eachDateGoesOnFromItsOwn() throws {
    var note = Note(id: 1, text: "", creationDate: .day(1))
    note.setText("ahead", at: .day(9))
    note.setArchived(true, at: .day(3))
    #expect(note.archivedModificationDate == .day(3))
    #expect(note.modificationDate == .day(9))
  }

  @Test func aTombstoneIsLaterThanAnyChange() throws {
    var notebook = try Notebook.small()
    notebook.goTo(day: 9)
    try notebook.setText("ahead", of: 1000)
    notebook.goTo(day: 3)
    notebook.deleteNotes([1000, 1001])
    #expect(notebook.deletedNotes[1000]?.deletionDate == .day(9, plus: 1))
    #expect(notebook.deletedNotes[1001]?.deletionDate == .day(3))
  }

  /// A copy with the tombstone must not delete a restored note again.
  @Test func aNoteThatIsBroughtBackIsNewerThanItsTombstone() throws {
    var notebook = try Notebook.small()
    let note = try #require(notebook.notes[1000])
    notebook.goTo(day: 3)
    notebook.deleteNotes([1000])
    let other = notebook
    try notebook.upsert(note)
    let back = try #require(notebook.notes[1000])
    #expect(back.text == note.text && back.tags == note.tags && back.sortDate == note.sortDate)
    #expect(try #require(back.textModificationDate) > .day(3))
    try notebook.merge(SyncContent(other))
    #expect(notebook.notes[1000] == back)
    #expect(notebook.allViolations() == [])
  }

  @Test func aNewNoteIsOfItsCreationDate() throws {
    let note = Note(id: 5, text: "", creationDate: .day(7))
    #expect([note.sortDate, note.modificationDate, note.creationDate] == [.day(7), .day(7), .day(7)])
    for property in Self.properties { #expect(note[keyPath: property.date] == .day(7)) }
    #expect(!note.archived && note.tags.isEmpty && note.attachments.isEmpty)

    var notebook = try Notebook.small()
    notebook.goTo(day: 8)
    let added = try notebook.addNote(text: "Third", tags: ["paris", "paris"], attachments: ["photo"])
    #expect(notebook.notes[added.id] == added)
    #expect(added.tags == ["paris"])
    #expect(added.modificationDate == .day(8))
    for property in Self.properties { #expect(added[keyPath: property.date] == .day(8)) }
    #expect(notebook.allViolations() == [])
  }

  /// Swift holds the two equal, but they are not the same text.
  @Test func aTextInAnotherNormalisationIsAChange() throws {
    var notebook = Notebook.empty()
    let id = try notebook.addNote(text: "caf\u{E9}").id
    notebook.goTo(day: 2)
    #expect(try notebook.setText("cafe\u{301}", of: id))
    #expect(notebook.notes[id]?.text.utf8.elementsEqual("cafe\u{301}".utf8) == true)
    #expect(notebook.notes[id]?.textModificationDate == .day(2))
    #expect(notebook.allViolations() == [])
  }

  private func expectDates(
    of note: Note, are date: Date, for property: Property, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(note.modificationDate == date, sourceLocation: sourceLocation)
    #expect(note.creationDate == .day(1), sourceLocation: sourceLocation)
    for other in Self.properties {
      let expected = other.date == property.date ? date : .day(1)
      #expect(note[keyPath: other.date] == expected, "\(other.testDescription)", sourceLocation: sourceLocation)
    }
  }
}
