import SnapshotCommands
import SnapshotNotebook
import SnapshotStore

/// Deletes notes.
struct DeleteCommand: StoreCommand {
  static let name = "delete"
  static let summary = "Delete notes"
  static let parameters: [Parameter] = [.noteID.repeated, .store]
  static let discussion = """
    Deletes all notes or none: if an id has no note, nothing is deleted. The store remembers the ids. “{tool} undelete”
    brings notes back, for three hours at least: if no older version of the store has a note, one is kept first.
    """

  private let session: StoreSession<Notebook>
  private let choices: [NoteChoice]

  init(_ arguments: inout Arguments) throws {
    session = try StoreSession<Notebook>(&arguments)
    choices = try arguments.operands("ID").map { try NoteChoice($0) }
  }

  func run() throws {
    let notebook = try session.read()
    let notes = try choices.map { try notebook.note($0, of: session) }
    let ids = notes.map(\.id)
    if try DeletedNotes.areKept(notes, of: session), try delete(notes) { return }
    // Another program may have changed the notes since. This keeps the file as it is at the moment of the change.
    try session.change { content in
      for id in ids { _ = try content.value.requiredNote(id) }
      content.value.deleteNotes(ids)
    }
  }

  /// Deletes notes that are as given.
  ///
  /// - Returns: whether they were; otherwise nothing is changed.
  private func delete(_ notes: [Note]) throws -> Bool {
    try session.write { notebook in
      guard notes.allSatisfy({ notebook.notes[$0.id] == $0 }) else { return false }
      notebook.deleteNotes(notes.map(\.id))
      return true
    }
  }
}
