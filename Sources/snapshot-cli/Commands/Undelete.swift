import SnapshotCommands
import SnapshotNotebook
import SnapshotStore

/// Brings deleted notes back.
struct UndeleteCommand: StoreCommand {
  static let name = "undelete"
  static let summary = "Bring deleted notes back, or list those that can be"
  static let parameters: [Parameter] = [
    .operand(
      "ID", .deletedNoteID, "the id of a deleted note, or its first four digits or more, or @N of the last list"
    ).optional.repeated,
    .store,
  ]
  static let discussion = """
    Without an ID, lists the deleted notes that the older versions of the store still have; see “{tool} generations”. \
    “delete” keeps such a version for at least three hours.

    A note comes back as it was in the newest of these versions, with its tags and attachments. Properties that this \
    tool does not know are not brought back.
    """

  private let session: StoreSession<Notebook>
  private let choices: [NoteChoice]

  init(_ arguments: inout Arguments) throws {
    session = try StoreSession<Notebook>(&arguments)
    choices = try arguments.operands("ID").map { try NoteChoice($0) }
  }

  func run() throws {
    let deleted = try DeletedNotes(of: session, current: try session.read())
    if choices.isEmpty { return try deleted.listing.printLines() }
    let ids = try choices.map { try $0.id(among: deleted.notes, of: session) }
    try session.write { notebook in
      for id in ids { try deleted.restore(id, to: &notebook) }
    }
  }
}
