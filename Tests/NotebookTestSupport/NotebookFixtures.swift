import Foundation

@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

extension Notebook {
  /// A notebook on the first day, whose notes get the ids from 1000 on.
  static func empty() -> Notebook {
    Notebook(sources: NotebookSources(now: { .day(1) }, nextNoteID: sequentialNoteIDs()))
  }

  /// Two tags, two attachments, and the notes 1000 (with all of them) and 1001 (with none), of the first day.
  static func small() throws -> Notebook {
    var notebook = empty()
    try notebook.add(Attachment(id: "film", mimeType: "video/mp4", height: 0, width: 0))
    try notebook.add(Attachment(id: "photo", mimeType: "image/jpeg", height: 20, width: 30))
    let tags = [notebook.tag(named: "Paris").id, notebook.tag(named: "New York").id]
    try notebook.addNote(text: "First", tags: tags, attachments: ["film", "photo"])
    try notebook.addNote(text: "Second")
    return notebook
  }

  /// Makes later changes happen on another day.
  mutating func goTo(day: Int) {
    sources.now = { .day(day) }
  }
}

/// Proposes ids in ascending order. The smallest number follows the greatest.
func sequentialNoteIDs(first: Note.ID = 1000) -> @Sendable (Note.ID?) -> Note.ID {
  { $0.map { $0 &+ 1 } ?? first }
}

/// Always proposes the same id.
func stubbornNoteIDs(id: Note.ID) -> @Sendable (Note.ID?) -> Note.ID { { _ in id } }
