import SnapshotCommands
import SnapshotNotebook
import SnapshotStore

/// Lists notes.
struct ListCommand: StoreCommand {
  static let name = "list"
  static let summary = "List the active notes, newest first"
  static let usage = """
    [--all|--archived] [--tag NAME|--untagged] [--limit N]
                             [--json] [--store FILE]
    """
  static let details = """
    --all       include archived notes
    --archived  list only archived notes
    --untagged  list only active notes without a tag
    --tag       list only notes with a tag; with --all or --archived, archived
                notes count too
    --limit     list only the newest N notes
    --json      print an array of notes as in the file, with the derived title and
                links

    Each line has the id, the day, the title and the tags of a note. Archived notes
    are marked.
    """

  private let session: StoreSession<Notebook>
  private let printsJSON: Bool
  private let filter: NoteFilter
  private let tag: String?
  private let limit: Int

  init(_ arguments: inout Arguments) throws {
    session = try StoreSession<Notebook>(&arguments)
    printsJSON = arguments.flag("--json")
    filter =
      try arguments.choice([("--all", .all), ("--archived", .archived), ("--untagged", .untagged)]) ?? .active
    tag = try arguments.option("--tag")
    limit = try arguments.limit()
    if tag != nil, filter == .untagged { throw arguments.usage("--tag and --untagged exclude each other") }
    try arguments.finish()
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
