import SnapshotCommands
import SnapshotNotebook
import SnapshotStore

/// Duplicates notes.
struct DuplicateCommand: StoreCommand {
  static let name = "duplicate"
  static let summary = "Add a copy of each note and print its id"
  static let parameters: [Parameter] = [.noteID.repeated, .store]
  static let discussion = """
    A copy has the text, the tags and the attachments of its note. It is new and active. All notes are copied or none.
    """

  private let session: StoreSession<Notebook>
  private let choices: [NoteChoice]

  init(_ arguments: inout Arguments) throws {
    session = try StoreSession<Notebook>(&arguments)
    choices = try arguments.operands("ID").map { try NoteChoice($0) }
  }

  func run() throws {
    let copies = try session.write { notebook in
      try notebook.ids(choices, of: session).map { id in
        let note = try notebook.requiredNote(id)
        return try notebook.addNote(text: note.text, tags: note.tags, attachments: note.attachments).id
      }
    }
    try Terminal.output.print(copies.map { "\($0)\n" }.joined())
  }
}
