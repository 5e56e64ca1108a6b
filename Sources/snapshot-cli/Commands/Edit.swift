import SnapshotCommands
import SnapshotNotebook
import SnapshotStore

/// Changes the text of a note in an editor.
struct EditCommand: StoreCommand {
  static let name = "edit"
  static let summary = "Change the text of a note in an editor"
  static let usage = "ID [--store FILE]"
  static let details = """
    Opens the text in $VISUAL or, if that is not set, in $EDITOR. The variable may
    contain arguments: EDITOR="code --wait".

    Nothing is locked while you edit. If someone else changes the note in the
    meantime, their text is not overwritten, and “edit” exits with 75. Whenever
    your text cannot be saved, it stays in a file whose name is printed. An
    unchanged text changes nothing.
    """

  private let session: StoreSession<Notebook>
  private let id: Note.ID

  init(_ arguments: inout Arguments) throws {
    session = try StoreSession<Notebook>(&arguments)
    id = try NoteID.parse(try arguments.operand("ID"))
    try arguments.finish()
  }

  func run() throws {
    let editor = try Editor()
    let base = try session.read().requiredNote(id).text
    let draft = try TextDraft(base, name: "note-\(id).txt")
    do {
      try editor.open(draft.path)
      let text = try draft.text()
      if ExactText(text) == ExactText(base) {
        try Terminal.output.print("the note was not changed\n")
      } else {
        if text.allSatisfy(\.isWhitespace) {
          throw CommandFailure("edit: a note must not be empty; “snapshot-cli delete \(id)” deletes it", .badData)
        }
        try session.write { try save(text, base, in: &$0) }
      }
    } catch {
      guard let path = draft.pathOfChanges else {
        draft.remove()
        throw error
      }
      let failure = CommandFailure(error)
      throw CommandFailure("\(failure.message)\nyour text is in \(path.forTerminal)", failure.exitCode)
    }
    draft.remove()
  }

  private func save(_ text: String, _ base: String, in notebook: inout Notebook) throws {
    let current = try notebook.requiredNote(id).text
    guard [ExactText(base), ExactText(text)].contains(ExactText(current)) else {
      throw CommandFailure("the note was changed by someone else meanwhile, and was left as it is", .temporary)
    }
    try notebook.setText(text, of: id)
  }
}
