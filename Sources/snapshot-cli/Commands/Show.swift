import SnapshotCommands
import SnapshotNotebook
import SnapshotStore

/// Shows a note.
struct ShowCommand: StoreCommand {
  static let name = "show"
  static let summary = "Print the text of a note"
  static let parameters: [Parameter] = [
    .noteID, .flag("--json", "print the note as in the file, with the derived title and links"), .store,
  ]
  static let discussion = """
    On a terminal, control characters are shown as \\u{…}. A file or a pipe gets the text as it is, with a line feed at
    the end if it has none. --json is exact.
    """

  private let session: StoreSession<Notebook>
  private let choice: NoteChoice
  private let printsJSON: Bool

  init(_ arguments: inout Arguments) throws {
    session = try StoreSession<Notebook>(&arguments)
    printsJSON = arguments.flag("--json")
    choice = try NoteChoice(arguments.operand("ID"))
  }

  func run() throws {
    let note = try session.read().note(choice, of: session)
    if printsJSON {
      return try Terminal.output.print(try SnapshotFile.json(of: NoteOutput(note: note)) + "\n")
    }
    try Terminal.output.print(note.text + (note.text.hasSuffix("\n") ? "" : "\n"))
  }
}
