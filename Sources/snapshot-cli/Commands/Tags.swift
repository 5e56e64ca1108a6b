import SnapshotCommands
import SnapshotNotebook
import SnapshotStore

/// Lists, suggests, renames and sweeps tags.
struct TagsCommand: StoreCommand {
  static let name = "tags"
  static let summary = "List the tags with the number of their notes, or edit them"
  static let usage = """
    [--json | suggest TEXT [--limit N] | rename OLD NEW |
                             sweep [--dry-run]] [--store FILE]
    """
  static let details = """
    suggest TEXT    print tags that complete the typed TEXT, best first
    --limit N       print at most N suggestions; 10 by default
    rename OLD NEW  rename a tag; if the new name exists, the tags are merged
    sweep           delete the tags without notes, and print their names
    --dry-run       print their names only
    --json          print an array of objects: id, name, notes

    By default lists all tags. Archived notes count too.
    """

  private enum Action {
    case list(asJSON: Bool), suggest(String, limit: Int), rename(String, to: String), sweep(isDryRun: Bool)
  }

  private let session: StoreSession<Notebook>
  private let action: Action

  init(_ arguments: inout Arguments) throws {
    session = try StoreSession<Notebook>(&arguments)
    let limit = try arguments.limit()
    let (asJSON, isDryRun) = (arguments.flag("--json"), arguments.flag("--dry-run"))
    let word = try arguments.optionalOperand()
    if asJSON, word != nil { throw arguments.usage("--json is only for the list of all tags") }
    if limit != .max, word != "suggest" { throw arguments.usage("--limit is only for suggest") }
    if isDryRun, word != "sweep" { throw arguments.usage("--dry-run is only for sweep") }
    switch word {
    case nil: action = .list(asJSON: asJSON)
    case "suggest"?: action = .suggest(try arguments.operand("TEXT"), limit: limit == .max ? 10 : limit)
    case "rename"?: action = .rename(try arguments.operand("OLD"), to: try arguments.operand("NEW"))
    case "sweep"?: action = .sweep(isDryRun: isDryRun)
    case let word?: throw arguments.usage("“\(word.forTerminal)” is neither suggest, rename nor sweep")
    }
    try arguments.finish()
  }

  func run() throws {
    switch action {
    case .list(let asJSON): try list(asJSON: asJSON)
    case .suggest(let text, let limit): try printNames(of: session.read().tagSuggestions(for: text, limit: limit))
    case .rename(let old, let new): try rename(old, to: new)
    case .sweep(isDryRun: true): try printNames(of: session.read().orphanedTags())
    case .sweep(isDryRun: false): try printNames(of: session.write { $0.deleteOrphanedTags() })
    }
  }

  private func list(asJSON: Bool) throws {
    let notebook = try session.read()
    let tags = notebook.tags.map { TagOutput(id: $0.id, name: $0.name, notes: notebook.noteCount(tagged: $0.id)) }
    if asJSON { return try Terminal.output.printJSON(tags) }
    let width = tags.map { "\($0.notes)".count }.max() ?? 0
    for tag in tags {
      let count = String(repeating: " ", count: width - "\(tag.notes)".count) + "\(tag.notes)"
      try Terminal.output.print("\(Terminal.output.dim(count))  \(tag.name.forTerminal)\n")
    }
  }

  private func rename(_ old: String, to new: String) throws {
    let renamed = try session.write { notebook in
      let new = try notebook.renameTag(notebook.requiredTag(named: old).id, to: new)
      return (tag: new, notes: notebook.noteCount(tagged: new.id))
    }
    try Terminal.output.print("\(renamed.tag.name.forTerminal): \(Counts.text(renamed.notes, "note"))\n")
  }

  private func printNames(of tags: [Tag]) throws {
    try Terminal.output.print(tags.map { $0.name.forTerminal + "\n" }.joined())
  }
}
