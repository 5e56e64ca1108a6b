import Foundation
public import SnapshotStore

/// Reading of notes from comma-separated values.
extension ForeignContent {
  /// The notes in a CSV file (RFC 4180, UTF-8): a header line, then a line for each note.
  ///
  /// The columns may be in any order:
  ///
  /// - `text`, which is required;
  /// - `id`;
  /// - `tags`: names separated by two spaces or line breaks;
  /// - `archived`: true or false;
  /// - the dates `created`, `sort` and `modified`, in ISO 8601.
  ///
  /// An empty field counts as not given, except for the text and the tags. Other columns are ignored, and a remark
  /// names them. If ``Notebook/csv()`` put an apostrophe before a text that looks like a formula, the apostrophe is
  /// removed.
  ///
  /// - Parameters:
  ///   - bytes: all bytes of the file.
  ///   - limits: the greatest sizes; `elementCount` limits lines and columns.
  ///   - path: the name of the source in errors and in the places of the notes.
  /// - Throws: `SnapshotError` with the line and the column of the fault.
  public init(csv bytes: [UInt8], limits: ReadLimits = ReadLimits(), path: String? = nil) throws {
    do throws(SnapshotError) {
      try limits.requireText(bytes)
      self = try bytes.withUnsafeBufferPointer { bytes throws(SnapshotError) in
        var reader = try CSVReader(CSVScanner(bytes, limits: limits), path: path)
        return try reader.content()
      }
    } catch {
      throw path.map(error.at(path:)) ?? error
    }
  }
}

/// Makes notes from the lines of a CSV file.
private struct CSVReader {
  private var scanner: CSVScanner
  private let path: String?
  /// The meaning of each column; nil for an ignored column.
  private var columns: [CSVColumn?] = []
  private var unknown: [String] = []

  init(_ scanner: CSVScanner, path: String?) throws(SnapshotError) {
    self.scanner = scanner
    self.path = path
    try readHeader()
  }

  mutating func content() throws(SnapshotError) -> ForeignContent {
    var content = ForeignContent()
    while try scanner.skipBlankLines() {
      let line = scanner.line
      guard let row = try scanner.row() else { break }
      content.notes.append(try note(row, line: line))
    }
    if !unknown.isEmpty { content.remarks.append(ForeignContent.remark(leftOut: unknown, "column")) }
    return content
  }

  private mutating func readHeader() throws(SnapshotError) {
    guard let header = try scanner.row() else {
      throw SnapshotError(.emptyFile, "the file has no header line")
    }
    for field in header {
      let column = CSVColumn(header: field.text)
      if let column, columns.contains(column) {
        throw scanner.failure("the column \(column.rawValue) occurs twice", at: field.offset, .duplicate)
      }
      if column == nil { unknown.append(field.text) }
      columns.append(column)
    }
    guard columns.contains(.text) else {
      let isOther = header.count == 1 && header[0].text.contains { $0 == ";" || $0 == "\t" }
      let hint = isOther ? "; columns are separated by commas" : ""
      throw scanner.failure("the header has no column “text”\(hint)", at: header[0].offset, .missingKey)
    }
  }

  private func note(_ row: [CSVScanner.Field], line: Int) throws(SnapshotError) -> ForeignNote {
    guard row.count == columns.count else {
      throw scanner.failure(
        "\(row.count.counted("field")), but the header has \(columns.count)",
        at: row[min(columns.count, row.count - 1)].offset)
    }
    var note = ForeignNote(text: "", line: line, of: path)
    note.givesTags = false
    note.givesAttachments = false
    for (field, column) in zip(row, columns) {
      guard let column else { continue }
      try read(field, column, into: &note)
    }
    return note
  }

  private func read(_ field: CSVScanner.Field, _ column: CSVColumn, into note: inout ForeignNote) throws(SnapshotError)
  {
    let text = CSVSink.text(ofField: field.text)
    switch column {
    case .text: note.text = text
    case .tags:
      note.tagNames = CSVColumn.tagNames(text)
      note.givesTags = true
    case .id: note.id = try value(field, column, text, "an id, which is a positive integer", Self.id)
    case .archived: note.archived = try value(field, column, text, "true or false", Self.bool)
    case .created: note.creationDate = try value(field, column, text, ForeignDate.expectation, ForeignDate.date)
    case .sort: note.sortDate = try value(field, column, text, ForeignDate.expectation, ForeignDate.date)
    case .modified: note.modificationDate = try value(field, column, text, ForeignDate.expectation, ForeignDate.date)
    }
  }

  /// The value of a non-empty field.
  private func value<Value>(
    _ field: CSVScanner.Field, _ column: CSVColumn, _ text: String, _ expectation: String, _ read: (String) -> Value?
  ) throws(SnapshotError) -> Value? {
    if text.isEmpty { return nil }
    if let value = read(text) { return value }
    throw scanner.failure(
      "expected \(expectation), found \(SnapshotError.quoted(text))", at: field.offset, .invalidValue,
      dataPath: column.rawValue)
  }

  private static func id(_ text: String) -> Note.ID? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Note.ID(text) : nil
  }

  private static func bool(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "true", "yes", "1": true
    case "false", "no", "0": false
    default: nil
    }
  }
}
