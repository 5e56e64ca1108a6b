import Foundation
import SnapshotStore

/// Export as comma-separated values.
extension Notebook {
  /// The notes as CSV (RFC 4180, UTF-8) for spreadsheets and other programs:
  /// `id,text,tags,archived,created,sort,modified`. O(bytes).
  ///
  /// Lines end with CRLF, ids ascend, dates are exact ISO 8601, and tag names are separated by two spaces. A field that
  /// a spreadsheet would take for a formula gets an apostrophe before it. ``ForeignContent/init(csv:limits:path:)``
  /// reads every text back exactly. The same notes give the same bytes.
  ///
  /// The format has no place for attachments, deleted notes, tags without notes, and the modification dates of a note's
  /// parts.
  public func csv() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(text: CSVColumn.allCases.map(\.rawValue).joined(separator: ","))
    bytes.append(text: "\r\n")
    for note in notes { append(note, to: &bytes) }
    return bytes
  }

  private func append(_ note: Note, to bytes: inout [UInt8]) {
    for (index, column) in CSVColumn.allCases.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      switch column {
      // A negative id can come from a file from elsewhere. No note may have one, so it is left out.
      case .id: if note.id >= 0 { bytes.append(text: "\(note.id)") }
      case .text: bytes.append(field: note.text)
      case .tags: bytes.append(field: tagNames(of: note).joined(separator: CSVColumn.tagSeparator))
      case .archived: bytes.append(text: note.archived ? "true" : "false")
      case .created: bytes.append(field: note.creationDate)
      case .sort: bytes.append(field: note.sortDate)
      case .modified: bytes.append(field: note.modificationDate)
      }
    }
    bytes.append(text: "\r\n")
  }
}

extension [UInt8] {
  /// Appends a text at once. `utf8` would be appended byte by byte.
  fileprivate mutating func append(text: String) {
    var text = text
    text.withUTF8 { append(contentsOf: $0) }
  }

  fileprivate mutating func append(field date: Date) {
    if date.timeIntervalSinceReferenceDate.isFinite { append(text: ForeignDate.text(date)) }
  }

  fileprivate mutating func append(field text: String) {
    let isDefused = FormulaGuard.defuses(text)
    var text = text
    text.withUTF8 { utf8 in
      let isQuoted = utf8.first == 0x20 || utf8.last == 0x20 || utf8.contains { Self.needsQuotes($0) }
      if isQuoted { append(UInt8(ascii: "\"")) }
      if isDefused { append(UInt8(ascii: "'")) }
      var start = 0
      while isQuoted, let quote = utf8[start...].firstIndex(of: UInt8(ascii: "\"")) {
        append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start...quote]))
        append(UInt8(ascii: "\""))
        start = quote + 1
      }
      append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start...]))
      if isQuoted { append(UInt8(ascii: "\"")) }
    }
  }

  /// The semicolon and the tab separate fields in spreadsheets that are set up for them or guess so.
  private static func needsQuotes(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "\n"),
      UInt8(ascii: "\r"):
      true
    default: false
    }
  }
}
