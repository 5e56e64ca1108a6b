public import SnapshotStore

/// Counts with their nouns.
///
/// ```swift
/// print(Counts.text(1, "post"), Counts.text(2, "post"))     // 1 post 2 posts
/// ```
public enum Counts {
  /// `1 note`, `2 notes`.
  public static func text(_ count: Int, _ singular: String) -> String {
    "\(count) \(singular)\(count == 1 ? "" : "s")"
  }

  /// The number of records in each table: `1864 notes, 76 tags`, or `posts 12, people 3` without words for records.
  public static func text<Root: Model>(of content: SnapshotContent<Root>) -> String {
    let counts = tables(of: content).map { table, count in
      Root.word(for: table).map { text(count, $0) } ?? "\(table.forTerminal) \(count)"
    }
    return counts.isEmpty ? "no tables" : counts.joined(separator: ", ")
  }

  /// The number of records in each table. Tables with words come first, since people look for them.
  static func tables<Root: Model>(of content: SnapshotContent<Root>) -> [(name: String, count: Int)] {
    let (counts, known) = (content.tableCounts, Root.tablesWithWords)
    return known.flatMap { table in counts.filter { $0.name == table } } + counts.filter { !known.contains($0.name) }
  }
}
