import SnapshotStore

/// What changed between two notebooks, for people.
struct NotebookDifference {
  private(set) var added = 0
  private(set) var removed = 0
  private(set) var changed = 0
  /// One line for each record: `+` is only in the newer one, `-` only in the older one, `~` differs.
  private(set) var lines: [String] = []

  init(from old: Notebook, to new: Notebook) {
    add("note", new.notes.changes(from: old.notes)) { $0.title }
    add("tag", new.tags.changes(from: old.tags)) { $0.name }
    add("attachment", new.attachments.changes(from: old.attachments)) { $0.mimeType }
    add("deleted note", new.deletedNotes.changes(from: old.deletedNotes)) { _ in "" }
  }

  var isEmpty: Bool { lines.isEmpty }

  /// `12 added, 3 removed, 5 changed`, or that nothing differs.
  var summary: String {
    let parts = [(added, "added"), (removed, "removed"), (changed, "changed")].filter { $0.0 > 0 }
    return parts.isEmpty ? "the same" : parts.map { "\($0) \($1)" }.joined(separator: ", ")
  }

  private mutating func add<Value>(
    _ kind: String, _ changes: [RecordChange<Value>], name: (Value) -> String
  ) {
    for change in changes {
      let (mark, record) =
        switch change {
        case .inserted(let record): ("+", record)
        case .removed(let record): ("-", record)
        case .updated(_, let record): ("~", record)
        }
      switch change {
      case .inserted: added += 1
      case .removed: removed += 1
      case .updated: changed += 1
      }
      let name = name(record)
      let id = "\(record.id)"
      let words = name.isEmpty || name == id ? "" : "  \(String(name.prefix(60)))"
      lines.append("\(mark) \(kind) \(id)\(words)".forTerminal)
    }
  }
}
