import SnapshotStore

/// The differences of two contents, in words.
struct DifferenceLines<Root: Model> {
  /// One line for each record: `+` for a record of the newer content only, `-` of the older only, `~` for different
  /// ones. Includes tables that the model does not know.
  let lines: [String]
  private let counts: [RecordDifference.Change: Int]

  init(from old: SnapshotContent<Root>, to new: SnapshotContent<Root>) throws {
    self.init(try ModelDifference(from: old, to: new).records, from: old.value, to: new.value)
  }

  /// Some of the differences between two values.
  init(_ records: [RecordDifference], from old: Root, to new: Root) {
    // Tables with words come first, since people look for them.
    let known = Root.tablesWithWords
    let sorted =
      known.flatMap { table in records.filter { $0.table == table } } + records.filter { !known.contains($0.table) }
    counts = Dictionary(grouping: records, by: \.change).mapValues(\.count)
    lines = sorted.map { record in
      let newer = new.name(of: record.id, in: record.table)
      let name = newer.isEmpty ? old.name(of: record.id, in: record.table) : newer
      let words = name.isEmpty || name == record.id ? "" : "  \(String(name.prefix(60)))"
      return "\(record.change.mark) \(Root.word(for: record.table) ?? record.table) \(record.id)\(words)".forTerminal
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

extension RecordDifference.Change {
  fileprivate var mark: String {
    switch self {
    case .inserted: "+"
    case .removed: "-"
    case .updated: "~"
    }
  }
}
