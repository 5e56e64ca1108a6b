import SnapshotCommands
import SnapshotNotebook
import SnapshotStore

/// Deletes notes.
struct DeleteCommand: StoreCommand {
  static let name = "delete"
  static let summary = "Delete notes"
  static let parameters: [Parameter] = [.noteID.repeated, .store]
  static let discussion = """
    Deletes all notes or none: if an id has no note, nothing is deleted. The store remembers the ids.
    """

  private let session: StoreSession<Notebook>
  private let ids: [Note.ID]

  init(_ arguments: inout Arguments) throws {
    session = try StoreSession<Notebook>(&arguments)
    ids = try arguments.operands("ID").map(NoteID.parse)
  }

  func run() throws {
    try session.write { notebook in
      for id in ids { _ = try notebook.requiredNote(id) }
      notebook.deleteNotes(ids)
    }
  }
}
