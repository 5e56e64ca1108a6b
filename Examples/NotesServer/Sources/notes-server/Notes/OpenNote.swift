import SnapshotNotebook

/// The note that a window shows. Without a text, the note does not exist.
struct OpenNote: Encodable, Equatable, Sendable {
  let id: String
  var text: String?
  var tags: [NoteTag] = []
  var archived = false
  /// Seconds since 1970.
  var created = 0.0
  var modified = 0.0

  init(_ id: Note.ID, in notebook: Notebook) {
    self.id = "\(id)"
    guard let note = notebook.notes[id] else { return }
    text = note.text
    tags = note.tags.map { NoteTag($0, in: notebook) }
    archived = note.archived
    created = note.creationDate.timeIntervalSince1970
    modified = note.modificationDate.timeIntervalSince1970
  }
}
