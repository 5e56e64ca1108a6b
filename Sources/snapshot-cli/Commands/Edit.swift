import SnapshotCommands
import SnapshotNotebook
import SnapshotStore

/// Changes the text of a note in an editor.
struct EditCommand: StoreCommand {
  static let name = "edit"
  static let summary = "Change the text of a note, or any record, in an editor"
  static var forms: [[Parameter]] { [[.noteID, .store], EditRecordCommand<Notebook>.parameters] }
  static let discussion = """
    With the id of a note, edits its text. Otherwise edits a record of a store of any model, as JSON with a property on
    each line. It is checked as “{tool} put” checks it.

    Opens the text in $VISUAL or, if that is not set, in $EDITOR. The variable may contain arguments:
    EDITOR="code --wait".

    Nothing is locked while you edit. If someone else changes the same in the meantime, their text is not overwritten,
    and “edit” exits with 75. Whenever your text cannot be saved, it stays in a file whose name is printed. An unchanged
    text changes nothing.
    """

  private enum Target {
    case note(StoreSession<Notebook>, NoteChoice)
    case record(EditRecordCommand<Notebook>)
  }

  private let target: Target

  init(_ arguments: inout Arguments) throws {
    if arguments.optionalOperand("TABLE") != nil {
      target = .record(try EditRecordCommand(&arguments))
    } else {
      target = .note(try StoreSession<Notebook>(&arguments), try NoteChoice(arguments.operand("ID")))
    }
  }

  func run() throws {
    switch target {
    case .note(let session, let choice): try edit(choice, in: session)
    case .record(let command): try command.run()
    }
  }

  private func edit(_ choice: NoteChoice, in session: StoreSession<Notebook>) throws {
    let note = try session.read().note(choice, of: session)
    let (id, base) = (note.id, note.text)
    let isChanged = try TextEdit.run(base, fileName: "note-\(id).txt") { text in
      if text.allSatisfy(\.isWhitespace) {
        throw CommandFailure("edit: a note must not be empty; “snapshot-cli delete \(id)” deletes it", .badData)
      }
      try session.write { try save(text, base, of: id, in: &$0) }
    }
    if !isChanged { try Terminal.output.print("the note was not changed\n") }
  }

  private func save(_ text: String, _ base: String, of id: Note.ID, in notebook: inout Notebook) throws {
    let current = try notebook.requiredNote(id).text
    guard [ExactText(base), ExactText(text)].contains(ExactText(current)) else {
      throw CommandFailure("the note was changed by someone else meanwhile, and was left as it is", .temporary)
    }
    try notebook.setText(text, of: id)
  }
}
