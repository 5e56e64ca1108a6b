import SnapshotNotebook
import SnapshotStore

/// Puts notes away.
struct ArchiveCommand: Command {
  static let name = "archive"
  static let summary = "Put notes away"
  static let usage = "ID… [--store FILE]"
  static let details = """
    All or none: if there is no note with one of the ids, nothing is changed. The notes get a new sort date, so that
    they stand first in the list into which they come.
    """

  private let change: ArchivedChange

  init(_ arguments: inout ArgumentScanner) throws { change = try ArchivedChange(&arguments, archived: true) }

  func run() throws { try change.run() }
}

/// Takes notes back.
struct UnarchiveCommand: Command {
  static let name = "unarchive"
  static let summary = "Take notes back that were put away"
  static let usage = ArchiveCommand.usage
  static let details = ArchiveCommand.details

  private let change: ArchivedChange

  init(_ arguments: inout ArgumentScanner) throws { change = try ArchivedChange(&arguments, archived: false) }

  func run() throws { try change.run() }
}

private struct ArchivedChange {
  private let session: StoreSession
  private let ids: [Note.ID]
  private let archived: Bool

  init(_ arguments: inout ArgumentScanner, archived: Bool) throws {
    self.archived = archived
    session = try StoreSession(&arguments)
    ids = try arguments.operands("ID").map(NoteID.parse)
    try arguments.finish()
  }

  func run() throws {
    _ = try session.write { try $0.apply(archived ? .archive : .unarchive, to: ids) }
  }
}
