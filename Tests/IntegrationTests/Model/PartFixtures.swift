// As in another module, without internal declarations.
import Foundation
import SnapshotStore

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import TestSupport

/// The place where a note was written.
struct Place: Record {
  let id: String
  var note: Note.ID
}

/// An app's own model around the notebook.
struct Journal: Model {
  var notebook = Notebook()
  var places = Table<Place>()
  var theme = "light"
  /// A property that the schema does not name.
  @Transient var counter = 0

  static let schema = Schema<Journal>(
    "journal", version: 1,
    Field(part: \.notebook),
    Field("places", \.places),
    Field("theme", \.theme),
    rules: [
      Rule("places", on: \.notebook.notes) { changes, journal in
        for change in changes where change.after == nil { journal.places.removeAll { $0.note == change.id } }
      }
    ],
    validations: [
      Validation("words", on: \.notebook.notes) { note, _ in
        note.text.contains("forbidden") ? "it has a forbidden word" : nil
      }
    ])

  static let readPath: any KeyPath<Journal, Table<Note>> & Sendable = \.notebook.notes

  /// A note with a tag, and its place.
  static func example() throws -> Journal {
    var journal = Journal()
    journal.notebook.sources = NotebookSources(
      now: { Date(timeIntervalSinceReferenceDate: 1000) }, nextNoteID: sequentialNoteIDs())
    let tag = journal.notebook.tag(named: "Paris")
    let note = try journal.notebook.addNote(text: "A walk", tags: [tag.id])
    try journal.places.insert(Place(id: "p1", note: note.id))
    journal.theme = "dark"
    return journal
  }
}

/// A part that occurs twice.
struct Bookcase: Model {
  struct Book: Record {
    let id: Int
    var title: String
    var isLent: Bool
  }

  var books = Table<Book>()
  var label = ""
  var lentCount = 0

  static let schema = Schema<Bookcase>(
    "bookcase", version: 3,
    Field("books", \.books),
    Field("label", \.label),
    Field("lent", \.lentCount),
    migrations: [Migration("nothing", to: 3) { _ in }],
    defaults: [DefaultValue("books", "isLent", false)],
    rules: [
      Rule("lent", on: \.books) { _, bookcase in bookcase.lentCount = bookcase.books.count { $0.isLent } }
    ],
    validations: [Validation("title", on: \.books) { book, _ in book.title.isEmpty ? "it has no title" : nil }])

  func violations() -> [Violation] {
    books.filter { $0.id < 0 }.map { Violation(place: "books \($0.id)", message: "its id is negative") }
  }
}

struct Bookcases: Model {
  var own = Bookcase()
  var club = Bookcase()
  static let schema = Schema<Bookcases>(
    "bookcases", version: 1,
    Field(part: \.own),
    Field(part: \.club, prefix: "club."))
}
