import SnapshotCommands
import SnapshotNotebook
import SnapshotStore

/// Archives notes.
struct ArchiveCommand: StoreCommand {
  static let name = "archive"
  static let summary = "Archive notes"
  static let parameters: [Parameter] = [.noteID.repeated, .store]
  static let discussion = """
    Changes all notes or none: if an id has no note, nothing is changed. The notes get a new sort date, so they come
    first in their new list.
    """

  private let change: ArchivedChange

  init(_ arguments: inout Arguments) throws { change = try ArchivedChange(&arguments, .archive) }

  func run() throws { try change.run() }
}

/// Unarchives notes.
struct UnarchiveCommand: StoreCommand {
  static let name = "unarchive"
  static let summary = "Unarchive notes"
  static let parameters = ArchiveCommand.parameters
  static let discussion = ArchiveCommand.discussion

  private let change: ArchivedChange

  init(_ arguments: inout Arguments) throws { change = try ArchivedChange(&arguments, .unarchive) }

  func run() throws { try change.run() }
}

private struct ArchivedChange {
  private let session: StoreSession<Notebook>
  private let choices: [NoteChoice]
  private let edit: NoteEdit

  init(_ arguments: inout Arguments, _ edit: NoteEdit) throws {
    self.edit = edit
    session = try StoreSession<Notebook>(&arguments)
    choices = try arguments.operands("ID").map { try NoteChoice($0) }
  }

  func run() throws {
    _ = try session.write { try $0.apply(edit, to: $0.ids(choices, of: session)) }
  }
}
