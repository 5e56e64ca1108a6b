/// The lines of comma-separated values (RFC 4180, UTF-8), one after the other: for imports from spreadsheets.
///
/// The first line has the titles of the columns. Every other line has as many fields. Lines end with CRLF or LF. Blank
/// lines are skipped, and so is a byte order mark. The apostrophe that ``CSVSink`` put before a formula is removed.
///
/// Only one line at a time is in memory, besides the bytes. Reading all lines is O(bytes).
package struct CSVLines: Sendable {
  /// A field of a line.
  package struct Field: Sendable {
    /// The content, without quotation marks and without the apostrophe before a formula.
    package var text: String { CSVSink.text(ofField: verbatim) }
    /// The content without quotation marks. In a file of another program an apostrophe belongs to the text.
    package let verbatim: String
    /// Whether it stands in quotation marks. An empty field without them is a missing value for ``Table``.
    package let isQuoted: Bool
    let offset: Int
  }

  /// The fields of the first line.
  package let titles: [Field]
  /// The line of the file on which the last fields begin, from 1.
  package private(set) var line = 1

  let source: SourceText
  private let limits: ReadLimits
  /// The place of the next line.
  private var offset = 0
  private var nextLine = 1
  private var rowCount = 0

  /// Checks the size and the encoding, and reads the titles. O(bytes).
  ///
  /// - Parameters:
  ///   - bytes: all bytes of the file.
  ///   - limits: the limits for sizes; `elementCount` bounds the lines and the fields of a line.
  /// - Throws: ``SnapshotError`` with code `tooLarge`, `malformed`, `limitExceeded`; `emptyFile` without a first line.
  package init(reading bytes: [UInt8], limits: ReadLimits = ReadLimits()) throws(SnapshotError) {
    try limits.requireText(bytes)
    source = try SourceText(bytes, isText: true)
    self.limits = limits
    var scan = try source.bytes.withUnsafeBufferPointer { bytes throws(SnapshotError) in
      var scanner = CSVScanner(bytes, limits: limits)
      return Scan(fields: try scanner.row(), scanner)
    }
    guard let fields = scan.fields else { throw SnapshotError(.emptyFile, "the file has no header line") }
    scan.fields = nil
    titles = fields.map(Field.init)
    (offset, nextLine, rowCount) = (scan.offset, scan.nextLine, scan.rowCount)
  }

  /// The fields of the next line that is not blank, as many as there are titles; nil at the end, and after an error.
  /// O(bytes of the line).
  ///
  /// - Throws: ``SnapshotError`` with the line and the column: `malformed` or `limitExceeded`.
  package mutating func next() throws(SnapshotError) -> [Field]? {
    do throws(SnapshotError) {
      let (limits, offset, nextLine, rowCount) = (limits, offset, nextLine, rowCount)
      let scan = try source.bytes.withUnsafeBufferPointer { bytes throws(SnapshotError) in
        var scanner = CSVScanner(bytes, limits: limits, from: offset, line: nextLine, rowCount: rowCount)
        guard try scanner.skipBlankLines() else { return Scan(fields: nil, scanner) }
        let line = scanner.line
        return Scan(fields: try scanner.row(), line: line, scanner)
      }
      (self.offset, self.nextLine, self.rowCount) = (scan.offset, scan.nextLine, scan.rowCount)
      guard let fields = scan.fields?.map(Field.init) else { return nil }
      line = scan.line
      guard fields.count == titles.count else {
        throw error(
          .malformed, "\(fields.count.counted("field")), but the header has \(titles.count)",
          at: fields[min(titles.count, fields.count - 1)])
      }
      return fields
    } catch {
      offset = source.bytes.count
      throw error
    }
  }

  /// An error with the place of a field in the file. O(bytes before the field), because it counts the lines.
  ///
  /// - Parameters:
  ///   - code: the kind of failure.
  ///   - message: what is wrong: one sentence without a final full stop.
  ///   - field: a field of this file.
  ///   - dataPath: the place of the value in the data, such as the title of the column.
  package func error(
    _ code: SnapshotError.Code, _ message: String, at field: Field, dataPath: String? = nil
  ) -> SnapshotError {
    SnapshotError(code, message, position: source.position(field.offset), dataPath: dataPath)
  }

  /// What a scanner has read, and where it stands.
  private struct Scan {
    var fields: [CSVScanner.Field]?
    let line: Int
    let offset: Int
    let nextLine: Int
    let rowCount: Int

    init(fields: [CSVScanner.Field]?, line: Int = 1, _ scanner: CSVScanner) {
      self.fields = fields
      self.line = line
      (offset, nextLine, rowCount) = (scanner.offset, scanner.line, scanner.rowCount)
    }
  }
}

extension CSVLines.Field {
  fileprivate init(_ field: CSVScanner.Field) {
    self.init(verbatim: field.text, isQuoted: field.isQuoted, offset: field.offset)
  }
}
