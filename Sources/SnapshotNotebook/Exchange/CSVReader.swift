import Foundation
public import SnapshotStore

/// Reading of notes from comma-separated values.
extension ForeignContent {
  /// The notes in a CSV file (RFC 4180; UTF-8, or UTF-16 with a byte order mark): a header line, then a line for each
  /// note.
  ///
  /// The columns may be in any order:
  ///
  /// - `text`, which is required;
  /// - `id`;
  /// - `tags`: names separated by two spaces or line breaks;
  /// - `archived`: true or false;
  /// - the dates `created`, `sort` and `modified`, in ISO 8601 or as in mail.
  ///
  /// An empty field counts as not given, except for the text and the tags. So does a date that cannot be read; the
  /// report names it. Other columns are ignored, and a remark names them.
  ///
  /// A file with all of these columns is one that ``Notebook/csv()`` has written. Its apostrophes before texts that
  /// look like formulas are removed. In another file they belong to the texts.
  ///
  /// - Parameters:
  ///   - bytes: all bytes of the file.
  ///   - limits: the greatest sizes; `elementCount` limits lines and columns.
  ///   - path: the name of the source in errors and in the places of the notes.
  /// - Throws: `SnapshotError` with the line and the column of the fault.
  public init(csv bytes: [UInt8], limits: ReadLimits = ReadLimits(), path: String? = nil) throws {
    do throws(SnapshotError) {
      var reader = try CSVReader(CSVLines(reading: TextFile.utf8(bytes), limits: limits), path: path)
      self = try reader.content()
    } catch {
      throw path.map(error.at(path:)) ?? error
    }
  }
}

/// Makes notes from the lines of a CSV file.
private struct CSVReader {
  private var lines: CSVLines
  private let path: String?
  /// The meaning of each column; nil for an ignored column.
  private var columns: [CSVColumn?] = []
  private var unknown: [String] = []
  /// Whether apostrophes before formulas are those of the export.
  private var isOfExport: Bool { CSVColumn.allCases.allSatisfy(columns.contains) }

  init(_ lines: CSVLines, path: String?) throws(SnapshotError) {
    self.lines = lines
    self.path = path
    try readHeader()
  }

  mutating func content() throws(SnapshotError) -> ForeignContent {
    var content = ForeignContent()
    while let row = try lines.next() { content.notes.append(try note(row)) }
    content.remarks = ForeignContent.remarks(on: content.notes)
    if !unknown.isEmpty { content.remarks.append(ForeignContent.remark(leftOut: unknown, "column")) }
    return content
  }

  private mutating func readHeader() throws(SnapshotError) {
    for title in lines.titles {
      let column = CSVColumn(header: title.text)
      if let column, columns.contains(column) {
        throw lines.error(.duplicate, "the column \(column.rawValue) occurs twice", at: title)
      }
      if column == nil { unknown.append(title.text) }
      columns.append(column)
    }
    guard columns.contains(.text) else {
      let first = lines.titles[0]
      let isOther = columns.count == 1 && first.text.contains { $0 == ";" || $0 == "\t" }
      let hint = isOther ? "; columns are separated by commas" : ""
      throw lines.error(.missingKey, "the header has no column “text”\(hint)", at: first)
    }
  }

  private func note(_ row: [CSVLines.Field]) throws(SnapshotError) -> ForeignNote {
    var note = ForeignNote(text: "", line: lines.line, of: path)
    note.givesTags = false
    note.givesAttachments = false
    let isOfExport = isOfExport
    for (field, column) in zip(row, columns) {
      guard let column else { continue }
      try read(field, isOfExport ? field.text : field.verbatim, column, into: &note)
    }
    return note
  }

  private func read(
    _ field: CSVLines.Field, _ text: String, _ column: CSVColumn, into note: inout ForeignNote
  ) throws(SnapshotError) {
    switch column {
    case .text: note.text = text
    case .tags:
      note.tagNames = CSVColumn.tagNames(text)
      note.givesTags = true
    case .id: note.id = try value(field, column, text, "an id, which is a positive integer", Self.id)
    case .archived: note.archived = try value(field, column, text, "true or false", Self.bool)
    case .created: note.creationDate = note.warnings.date(text)
    case .sort: note.sortDate = note.warnings.date(text)
    case .modified: note.modificationDate = note.warnings.date(text)
    }
  }

  /// The value of a non-empty field.
  private func value<Value>(
    _ field: CSVLines.Field, _ column: CSVColumn, _ text: String, _ expectation: String, _ read: (String) -> Value?
  ) throws(SnapshotError) -> Value? {
    if text.isEmpty { return nil }
    if let value = read(text) { return value }
    throw lines.error(
      .invalidValue, "expected \(expectation), found \(SnapshotError.quoted(text))", at: field,
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
