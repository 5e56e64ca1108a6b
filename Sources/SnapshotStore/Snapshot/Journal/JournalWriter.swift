import SnapshotFoundation

/// Writes the lines of a journal. It accesses no file, and keeps nothing but the id keys of tables.
struct JournalWriter: Sendable {
  init(schema: String, version: Int) {
    fatalError("not yet")
  }

  /// The first line of a journal.
  func header(base: JournalBase, date: Date) -> JournalText {
    fatalError("not yet")
  }

  /// The mark that the changes behind it stand on another file.
  func fold(to base: JournalBase, after: JournalPosition, date: Date) -> JournalText {
    fatalError("not yet")
  }

  /// The changes from one value to another. Nil if nothing that is saved differs. O(changes · log n) if one value was
  /// made from the other.
  ///
  /// - Parameters:
  ///   - unknown: the unknown content of the file, which belongs to both values.
  ///   - limit: the most bytes of the line.
  /// - Throws: `unencodable` if a record cannot be encoded; `limitExceeded` if the line would be longer than `limit`.
  mutating func changes<Root: Model>(
    from old: Root, to new: Root, unknown: UnknownContent, after: JournalPosition, date: Date, limit: Int
  ) throws(SnapshotError) -> JournalText? {
    fatalError("not yet")
  }
}
