import SnapshotStore

/// Lists tags.
struct TagsCommand: Command {
  static let name = "tags"
  static let summary = "List the tags with the number of their notes"
  static let usage = "[--json] [--store FILE]"
  static let details = """
    --json  print an array of objects: id, name, notes

    Archived notes count too.
    """

  private let session: StoreSession
  private let printsJSON: Bool

  init(_ arguments: inout ArgumentScanner) throws {
    session = try StoreSession(&arguments)
    printsJSON = arguments.flag("--json")
    try arguments.finish()
  }

  func run() throws {
    let notebook = try session.read()
    let tags = notebook.tags.map { tag in
      TagOutput(id: tag.id, name: tag.name, notes: notebook.notes(tagged: tag.id).reduce(0) { count, _ in count + 1 })
    }
    if printsJSON { return try Terminal.output.printJSON(tags) }
    let width = tags.map { "\($0.notes)".count }.max() ?? 0
    for tag in tags {
      let count = String(repeating: " ", count: width - "\(tag.notes)".count) + "\(tag.notes)"
      try Terminal.output.print("\(Terminal.output.dim(count))  \(tag.name.forTerminal)\n")
    }
  }
}
