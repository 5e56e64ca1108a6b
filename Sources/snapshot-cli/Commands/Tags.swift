import SnapshotCommands
import SnapshotNotebook
import SnapshotStore

/// Lists, suggests, renames and sweeps tags.
struct TagsCommand: StoreCommand {
  static let name = "tags"
  static let summary = "List the tags with the number of their notes, or edit them"
  static var forms: [[Parameter]] {
    [
      [.flag("--json", "print an array of objects: id, name, notes"), .store],
      [
        .word("suggest", "print tags that complete the typed TEXT, best first"), .operand("TEXT", .tagName),
        .option("--limit", "N", .number(1...Int.max), short: "n", "print at most N suggestions; 10 by default"), .store,
      ],
      [
        .word("rename", "rename a tag; if the new name exists, the tags are merged"), .operand("OLD", .tagName),
        .operand("NEW", .tagName), .store,
      ],
      [
        .word("sweep", "delete the tags without notes, and print their names"),
        .flag("--dry-run", "print their names only"), .store,
      ],
    ]
  }
  static let discussion = "By default lists all tags. Archived notes count too."

  private enum Action {
    case list(asJSON: Bool), suggest(String, limit: Int), rename(String, to: String), sweep(isDryRun: Bool)
  }

  private let session: StoreSession<Notebook>
  private let action: Action

  init(_ arguments: inout Arguments) throws {
    session = try StoreSession<Notebook>(&arguments)
    switch arguments.word() {
    case "suggest": action = .suggest(arguments.operand("TEXT"), limit: arguments.number("--limit") ?? 10)
    case "rename": action = .rename(arguments.operand("OLD"), to: arguments.operand("NEW"))
    case "sweep": action = .sweep(isDryRun: arguments.flag("--dry-run"))
    default: action = .list(asJSON: arguments.flag("--json"))
    }
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
      try Terminal.output.print(Terminal.output.dim(count) + "  \(tag.name.forTerminal)\n")
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
