import SnapshotCommands
import SnapshotNotebook
import SnapshotStore

/// Adds a note.
struct AddCommand: StoreCommand {
  static let name = "add"
  static let summary = "Add a note and print its id"
  static let parameters: [Parameter] = [
    .operand(
      "TEXT", .text,
      """
      the text of the note; several words need no quotes. - reads it from standard input. Write -- before a text that
      begins with a dash
      """
    ).optional.repeated,
    .option("--tag", "NAME", .tagName, "a tag; it is made if it does not exist").repeated, .store,
  ]
  static let discussion = """
    Without a text, reads it from a pipe or a file on standard input. On a terminal, opens $VISUAL or $EDITOR.
    The store is made if it does not exist.
    """

  private let session: StoreSession<Notebook>
  private let words: [String]
  private let tags: [String]

  init(_ arguments: inout Arguments) throws {
    session = try StoreSession<Notebook>(&arguments)
    tags = arguments.options("--tag")
    words = arguments.operands("TEXT")
  }

  func run() throws {
    guard words.isEmpty, Terminal.isInputTerminal else {
      return try add(words.isEmpty || words == ["-"] ? BoundedInput.standardInput.text() : words.joined(separator: " "))
    }
    // Editors end a text with a line feed.
    let isWritten = try TextEdit.run("", fileName: "note.txt") { text in
      try add(text.hasSuffix("\n") ? String(text.dropLast()) : text)
    }
    if !isWritten { throw Self.isEmpty }
  }

  private static let isEmpty = CommandFailure.usage("add: the note is empty; nothing was added")

  private func add(_ text: String) throws {
    if text.allSatisfy(\.isWhitespace) { throw Self.isEmpty }
    let id = try session.writeOrCreate(checking: { _ in try checkTags() }) { notebook in
      let tags = try tags.map { try notebook.tag(checkedName: $0).id }
      return try notebook.addNote(text: text, tags: tags).id
    }
    try Terminal.output.print("\(id)\n")
  }

  private func checkTags() throws {
    for tag in tags where TagName(tag) == nil { throw CommandFailure.usage("the name of a tag must not be empty") }
  }
}
