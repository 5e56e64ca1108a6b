import Foundation
import SnapshotNotebook
import SnapshotStore

/// The change of one note that many rows make. The note gets a new text, and becomes the newest one.
struct NoteChange {
  let number: Int

  /// Greater numbers are later, and all are later than the notes of the workload.
  var date: Date { Date(timeIntervalSinceReferenceDate: 800_000_000.25 + Double(number)) }
  var text: String { "A new text, number \(number)" }

  init(_ number: Int) { self.number = number }

  /// The change after which a note has this sort date.
  init(of sortDate: Date) { number = Int(sortDate.timeIntervalSinceReferenceDate - 800_000_000.25) }
}

extension Store where Root == Notebook {
  /// Changes a note in memory, in a transaction of its own.
  func change(_ id: Note.ID, _ number: Int) throws {
    let change = NoteChange(number)
    try write { notebook in
      guard var note = notebook.notes[id] else { throw BenchmarkFailure("note \(id) is missing") }
      note.setText(change.text, at: change.date)
      note.setSortDate(change.date, at: change.date)
      try notebook.upsert(note)
    }
  }
}

extension GRDBNotebook {
  /// Changes a note, in a transaction of its own.
  func change(_ id: Int64, _ number: Int) throws {
    let change = NoteChange(number)
    try self.change(id, text: change.text, sortDate: change.date, at: change.date)
  }
}
