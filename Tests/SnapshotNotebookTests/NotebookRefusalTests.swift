import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// A notebook refuses invalid values, and is then unchanged.
struct NotebookRefusalTests {
  static let dates: [any WritableKeyPath<Note, Date> & Sendable] = [\.sortDate, \.modificationDate]
  static let optionalDates: [any WritableKeyPath<Note, Date?> & Sendable] = [
    \.textModificationDate, \.archivedModificationDate, \.sortDateModificationDate, \.tagsModificationDate,
    \.attachmentsModificationDate,
  ]
  /// Numbers, since Foundation traps when it describes such a date, for example as the name of a test case.
  static let notFinite = [Double.nan, .infinity, -.infinity]

  @Test(arguments: notFinite)
  func datesMustBeFinite(seconds: Double) throws {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    var notebook = try Notebook.small()
    let before = notebook
    let note = try #require(notebook.notes[1000])
    expectRefusal(.invalidValue) { try notebook.upsert(Note(id: 5, text: "", creationDate: date)) }
    for path in Self.dates {
      var copy = note
      copy[keyPath: path] = date
      expectRefusal(.invalidValue) { try notebook.upsert(copy) }
    }
    for path in Self.optionalDates {
      var copy = note
      copy[keyPath: path] = date
      expectRefusal(.invalidValue) { try notebook.upsert(copy) }
    }
    expectRefusal(.invalidValue) { try notebook.setSortDate(date, of: 1000) }
    #expect(notebook.hasSameTables(as: before))
    #expect(notebook.allViolations() == [])
  }

  /// Dates of a faulty clock must not get into the notebook by any way.
  @Test(arguments: notFinite)
  func theClockMustBeFinite(seconds: Double) throws {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    var notebook = try Notebook.small()
    notebook.sources.now = { date }
    let before = notebook
    expectRefusal(.invalidValue) { try notebook.addNote(text: "Third") }
    expectRefusal(.invalidValue) { try notebook.setText("Other", of: 1000) }
    expectRefusal(.invalidValue) { try notebook.setArchived(true, of: 1000) }
    #expect(notebook.hasSameTables(as: before))
    #expect(notebook.allViolations() == [])
  }

  /// Unknown dates are no fault, nor are those of other ages.
  @Test func unknownAndFarDatesAreTaken() throws {
    var notebook = try Notebook.small()
    var note = try #require(notebook.notes[1000])
    for path in Self.optionalDates { note[keyPath: path] = nil }
    note.sortDate = .distantPast
    note.modificationDate = Date(timeIntervalSinceReferenceDate: .greatestFiniteMagnitude)
    try notebook.upsert(note)
    #expect(notebook.notes[1000] == note)
    #expect(notebook.timeline(.all, limit: 2).map(\.id) == [1001, 1000])
    #expect(notebook.allViolations() == [])
  }

  @Test func tagsAndAttachmentsMustExist() throws {
    var notebook = try Notebook.small()
    let before = notebook
    var note = Note(id: 5, text: "", creationDate: .day(1))
    note.setTags(["paris", "rome"], at: .day(1))
    expectRefusal(.recordNotFound) { try notebook.upsert(note) }
    // A name is not an id.
    expectRefusal(.recordNotFound) { try notebook.setTags(["Paris"], of: 1000) }
    expectRefusal(.recordNotFound) { try notebook.setAttachments(["photo", "drawing"], of: 1000) }
    expectRefusal(.recordNotFound) { try notebook.addNote(text: "", tags: ["rome"]) }
    expectRefusal(.recordNotFound) { try notebook.addNote(text: "", attachments: ["drawing"]) }
    #expect(notebook.hasSameTables(as: before))
    #expect(notebook.allViolations() == [])
  }

  @Test func idsMustNotBeNegative() throws {
    var notebook = Notebook.empty()
    for id in [-1, Int64.min] {
      expectRefusal(.invalidValue) { try notebook.upsert(Note(id: id, text: "", creationDate: .day(1))) }
    }
    #expect(notebook.notes.isEmpty)
    for id in [0, 999, Int64.max] { try notebook.upsert(Note(id: id, text: "", creationDate: .day(1))) }
    #expect(notebook.notes.ids == [0, 999, .max])
    #expect(notebook.allViolations() == [])
  }

  /// An attachment is never changed. The same one may be added again, but not another one with its id.
  @Test func anAttachmentIsAddedOnce() throws {
    var notebook = try Notebook.small()
    let before = notebook
    try notebook.add(Attachment(id: "photo", mimeType: "image/jpeg", height: 20, width: 30))
    expectRefusal(.idTaken) {
      try notebook.add(Attachment(id: "photo", mimeType: "image/png", height: 20, width: 30))
    }
    #expect(notebook.hasSameTables(as: before))
    #expect(notebook.allViolations() == [])
  }
}
