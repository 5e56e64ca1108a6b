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
      the text of the note; - reads it from standard input. Write -- before a text that begins with a dash
      """),
    .option("--tag", "NAME", .tagName, "a tag; it is made if it does not exist").repeated, .store,
  ]
  static let discussion = "The store is made if it does not exist."

  private let session: StoreSession<Notebook>
  private let text: String
  private let tags: [String]

  init(_ arguments: inout Arguments) throws {
    session = try StoreSession<Notebook>(&arguments)
    tags = arguments.options("--tag")
    text = arguments.operand("TEXT")
  }

  func run() throws {
    let text = try self.text == "-" ? BoundedInput.standardInput.text() : self.text
    if text.allSatisfy(\.isWhitespace) { throw CommandFailure.usage("add: the note is empty; nothing was added") }
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
