/// The header and the tables of a file with any schema. Its records are counted but not decoded.
///
/// ```swift
/// let summary = try SnapshotSummary(of: SnapshotFile.readBytes(at: url))
/// for table in summary.tables { print(table.name, table.count) }
/// if summary.checksum == .mismatch { print("edited by hand, or damaged") }
/// ```
public struct SnapshotSummary: Equatable, Sendable {
  /// The format, as recognised by the content.
  public let format: FileFormat
  /// The name of the schema.
  public let schema: String
  /// The version of the schema.
  public let version: Int
  /// The size of the file.
  public let byteCount: Int
  /// Whether the checksum matches the content.
  public let checksum: SnapshotHeader.ChecksumState
  /// The tables in the order of the file, with the number of their records.
  public let tables: [(name: String, count: Int)]
  /// The names of the single values in the order of the file. An array in a file of another program is a table, unless
  /// the header names it.
  public let values: [String]

  /// Reads a summary from the bytes of a file. The whole file must be well formed.
  ///
  /// - Throws: ``SnapshotError``.
  public init(of bytes: [UInt8], limits: ReadLimits = ReadLimits(), path: String? = nil) throws {
    do throws(SnapshotError) {
      let document = try Document(bytes, limits: limits, threads: Parallel.defaultThreads)
      var counter = RecordCounter(isValue: document.isValue)
      try document.reader.readTables(&counter)
      format = document.format
      schema = document.header.schema
      version = document.header.version
      byteCount = bytes.count
      checksum = document.checksum
      tables = counter.tables
      values = counter.values
    } catch {
      throw path.map(error.at(path:)) ?? error
    }
  }

  /// Whether all properties are equal.
  public static func == (a: SnapshotSummary, b: SnapshotSummary) -> Bool {
    a.format == b.format && a.schema == b.schema && a.version == b.version && a.byteCount == b.byteCount
      && a.checksum == b.checksum && a.values == b.values && a.tables.elementsEqual(b.tables, by: ==)
  }
}

/// Counts the records of each table. A file may have very many tables, so they are found by hash.
private struct RecordCounter: DocumentVisitor {
  /// Whether the array under a name is a single value.
  let isValue: (String) -> Bool
  private(set) var tables: [(name: String, count: Int)] = []
  private(set) var values: [String] = []
  private var positions: [ExactText: Int] = [:]

  init(isValue: @escaping (String) -> Bool) { self.isValue = isValue }

  /// In newline-delimited JSON a table may continue after another one.
  mutating func visit(_ name: String, offset: Int, _ records: inout some TableReader) throws(SnapshotError) {
    if isValue(name) {
      while try records.next() != nil {}
      return values.append(name)
    }
    let position = positions[ExactText(name)] ?? tables.count
    if position == tables.count {
      positions[ExactText(name)] = position
      tables.append((name, 0))
    }
    while try records.next() != nil { tables[position].count += 1 }
  }

  mutating func visit(
    _ name: String, offset: Int, value read: () throws(SnapshotError) -> Item
  ) throws(SnapshotError) {
    _ = try read()
    values.append(name)
  }
}
