/// Reads a document in one format, strictly: whatever is not exactly right is an error with a position.
protocol DocumentReader {
  /// The value under `snapshot`, wherever in the document it stands; nil if there is none.
  func header() throws(SnapshotError) -> Item?

  /// Walks through all tables in the order of the file.
  func readTables(_ visitor: inout some DocumentVisitor) throws(SnapshotError)
}

/// What to do after a member of a dictionary.
enum Walk { case goOn, stop }

/// What is done with the tables and single values of a document.
protocol DocumentVisitor {
  /// Reads the records of a table, up to their end. One name may come several times.
  mutating func visit(_ name: String, offset: Int, _ records: inout some TableReader) throws(SnapshotError)

  /// Reads what stands under a name and is no array, so no table: a single value.
  ///
  /// - Parameter read: gives the value; to be called exactly once, unless the visitor throws.
  mutating func visit(
    _ name: String, offset: Int, value read: () throws(SnapshotError) -> Item
  ) throws(SnapshotError)
}
