/// A strict reader of documents in one format. Anything that breaks the rules is an error with a position.
protocol DocumentReader {
  /// The value under `snapshot`, at any place in the document; nil if there is none.
  func header() throws(SnapshotError) -> Item?

  /// Visits all tables in the order of the file.
  func readTables(_ visitor: inout some DocumentVisitor) throws(SnapshotError)
}

/// The next step after a member of a dictionary.
enum Walk { case goOn, stop }

/// The consumer of the tables and single values of a document.
protocol DocumentVisitor {
  /// Reads the records of a table, up to their end. A name may come several times.
  mutating func visit(_ name: String, offset: Int, _ records: inout some TableReader) throws(SnapshotError)

  /// Reads a single value: the value under a name, if it is not an array.
  ///
  /// - Parameter read: returns the value. The visitor calls it exactly once, unless the visitor throws.
  mutating func visit(
    _ name: String, offset: Int, value read: () throws(SnapshotError) -> Item
  ) throws(SnapshotError)
}
