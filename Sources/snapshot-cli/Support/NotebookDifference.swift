import SnapshotNotebook
import SnapshotStore

/// The differences of two notebooks, in words.
struct NotebookDifference {
  /// One line for each record: `+` for a record of the newer notebook only, `-` of the older only, `~` for different
  /// ones. Includes tables that this program does not know.
  let lines: [String]
  private let counts: [RecordDifference.Change: Int]

  init(from old: NotebookContent, to new: NotebookContent) throws {
    self.init(try ModelDifference(from: old, to: new).records, from: old.value, to: new.value)
  }

  /// Some of the differences between two notebooks.
  init(_ records: [RecordDifference], from old: Notebook, to new: Notebook) {
    let names = Names(old: old, new: new)
    let kinds = ["notes": "note", "tags": "tag", "attachments": "attachment", "deletedNotes": "deleted note"]
    // Notes come first, since people look for them.
    let known = ["notes", "tags", "attachments", "deletedNotes"]
    let sorted =
      known.flatMap { table in records.filter { $0.table == table } } + records.filter { kinds[$0.table] == nil }
    counts = Dictionary(grouping: records, by: \.change).mapValues(\.count)
    lines = sorted.map { record in
      let name = names.name(of: record)
      let words = name.isEmpty || name == record.id ? "" : "  \(String(name.prefix(60)))"
      return "\(record.change.mark) \(kinds[record.table] ?? record.table) \(record.id)\(words)".forTerminal
    }
  }

  var isEmpty: Bool { lines.isEmpty }

  /// `12 added, 3 removed, 5 changed`, or `the same`.
  var summary: String {
    let kinds: [(RecordDifference.Change, String)] = [
      (.inserted, "added"), (.removed, "removed"), (.updated, "changed"),
    ]
    let parts = kinds.compactMap { kind, word in counts[kind].map { "\($0) \(word)" } }
    return parts.isEmpty ? "the same" : parts.joined(separator: ", ")
  }
}

/// The names by which people know records.
private struct Names {
  let old: Notebook
  let new: Notebook

  func name(of record: RecordDifference) -> String {
    switch record.table {
    case "notes": Note.ID(record.id).flatMap { new.notes[$0] ?? old.notes[$0] }?.title ?? ""
    case "tags": (new.tags[record.id] ?? old.tags[record.id])?.name ?? ""
    case "attachments": (new.attachments[record.id] ?? old.attachments[record.id])?.mimeType ?? ""
    default: ""
    }
  }
}

extension RecordDifference.Change {
  fileprivate var mark: String {
    switch self {
    case .inserted: "+"
    case .removed: "-"
    case .updated: "~"
    }
  }
}
