import SnapshotCommands
import SnapshotNotebook
import SnapshotStore

/// Adds tags to a note.
struct TagCommand: StoreCommand {
  static let name = "tag"
  static let summary = "Add tags to a note"
  static let parameters: [Parameter] = [.noteID, .operand("NAME", .tagName, "a tag").repeated, .store]
  static let discussion = "Missing tags are made. A tag that the note has already keeps its place."

  private let change: TagChange

  init(_ arguments: inout Arguments) throws { change = try TagChange(&arguments) }

  func run() throws {
    try change.run { notebook, tags, names in
      tags + (try names.map { try notebook.tag(checkedName: $0).id })
    }
  }
}

/// Removes tags from a note.
struct UntagCommand: StoreCommand {
  static let name = "untag"
  static let summary = "Remove tags from a note"
  static let parameters = TagCommand.parameters
  static let discussion = """
    Tags that the note does not have are ignored. The tags themselves stay in the store.
    """

  private let change: TagChange

  init(_ arguments: inout Arguments) throws { change = try TagChange(&arguments) }

  func run() throws {
    try change.run { notebook, tags, names in
      let doomed = names.compactMap { notebook.existingTag(named: $0)?.id }
      return tags.filter { !doomed.contains($0) }
    }
  }
}

private struct TagChange {
  private let session: StoreSession<Notebook>
  private let choice: NoteChoice
  private let names: [String]

  init(_ arguments: inout Arguments) throws {
    session = try StoreSession<Notebook>(&arguments)
    choice = try NoteChoice(arguments.operand("ID"))
    names = arguments.operands("NAME")
  }

  func run(_ newTags: (inout Notebook, [Tag.ID], [String]) throws -> [Tag.ID]) throws {
    try session.write { notebook in
      let note = try notebook.note(choice, of: session)
      try notebook.setTags(try newTags(&notebook, note.tags, names), of: note.id)
    }
  }
}
