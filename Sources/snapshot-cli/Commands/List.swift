import SnapshotStore

/// Lists notes.
struct ListCommand: Command {
  static let name = "list"
  static let summary = "List the active notes, newest first"
  static let usage = "[--all|--archived|--untagged|--tag NAME] [--limit N] [--json] [--store FILE]"
  static let details = """
    --all       list archived notes too
    --archived  list archived notes only
    --untagged  list active notes without a tag only
    --tag       list active notes with a tag only
    --limit     list the newest N notes only
    --json      print an array of notes as in the file, with the derived title and links

    Each line has the id, the day, the title and the tags of a note.
    """

  private let session: StoreSession
  private let printsJSON: Bool
  private let filter: TimelineFilter?
  private let tag: String?
  private let limit: Int

  init(_ arguments: inout ArgumentScanner) throws {
    session = try StoreSession(&arguments)
    printsJSON = arguments.flag("--json")
    filter = try arguments.choice([("--all", .all), ("--archived", .archived), ("--untagged", .untagged)])
    tag = try arguments.option("--tag")
    limit = try arguments.limit()
    if tag != nil, filter != nil {
      throw arguments.usage("--tag and --all, --archived or --untagged exclude each other")
    }
    try arguments.finish()
  }

  func run() throws {
    let notebook = try session.read()
    let tagged = try tag.map { TimelineFilter.tagged(try notebook.requiredTag(named: $0).id) }
    let listing = NoteListing(
      notebook: notebook, notes: notebook.timeline(tagged ?? filter ?? .active, limit: limit))
    if printsJSON { return try listing.printJSON() }
    try listing.printLines()
  }
}
