import SnapshotCommands
import SnapshotNotebook
import SnapshotStore

/// Lists notes.
struct ListCommand: StoreCommand {
  static let name = "list"
  static let summary = "List the active notes, newest first"
  static let parameters: [Parameter] = [
    .store("FILE", "a store of notes"),
    .flag("--all", "include archived notes").excluding("--archived", "--untagged"),
    .flag("--archived", "list only archived notes").excluding("--untagged"),
    .flag("--untagged", "list only active notes without a tag").excluding("--tag"),
    .option(
      "--tag", "NAME", .tagName,
      """
      list only notes with a tag; with --all or --archived, archived notes count too
      """),
    .option("--limit", "N", .number(1...Int.max), short: "n", "list only the newest N notes"),
    .flag("--json", "print an array of notes as in the file, with the derived title and links"),
  ]
  static let discussion = """
    Each line has the id, the day, the title and the tags of a note. Archived notes are marked.
    """

  private let session: StoreSession<Notebook>
  private let printsJSON: Bool
  private let filter: NoteFilter
  private let tag: String?
  private let limit: Int

  init(_ arguments: inout Arguments) throws {
    session = try StoreSession<Notebook>(&arguments)
    printsJSON = arguments.flag("--json")
    let (all, archived, untagged) = (
      arguments.flag("--all"), arguments.flag("--archived"), arguments.flag("--untagged")
    )
    filter = all ? .all : archived ? .archived : untagged ? .untagged : .active
    tag = arguments.option("--tag")
    limit = arguments.number("--limit") ?? .max
  }

  func run() throws {
    let notebook = try session.read()
    let listing = NoteListing(notebook: notebook, notes: try notes(of: notebook))
    if printsJSON { return try listing.printJSON() }
    try listing.printLines()
  }

  private func notes(of notebook: Notebook) throws -> [TimelineNote] {
    var filter = filter
    filter.tag = try tag.map { try notebook.requiredTag(named: $0).id }
    return notebook.timeline(filter, limit: limit)
  }
}
