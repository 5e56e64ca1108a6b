import Foundation

@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

extension Notebook {
  /// A notebook with one record in every table: small enough to flip every bit, and to be read in full by a person.
  static func tiny() throws -> Notebook {
    let start = Date(timeIntervalSinceReferenceDate: 0)
    var notebook = Notebook(sources: NotebookSources(now: { start }, nextNoteID: sequentialNoteIDs()))
    notebook.tag(named: "Ünter  Wegs")
    try notebook.add(Attachment(id: "a1", mimeType: "image/png", height: 2, width: 300))
    var note = try notebook.addNote(text: "Hi, \"é\"\n\u{1}", tags: ["ünter wegs"], attachments: ["a1"])
    note.setText(note.text + "<😀&>", at: start + 0.5)
    try notebook.upsert(note)
    // A deletion is dated later than the note.
    notebook.sources.now = { start - 1 }
    let gone = try notebook.addNote(text: "gone").id
    notebook.sources.now = { start }
    notebook.deleteNotes([gone])
    return notebook
  }
}
