import Foundation

extension Notebook {
  /// The notes as CSV (RFC 4180, UTF-8) for spreadsheets and other programs: `id,text,tags,archived,created,sort,modified`.
  ///
  /// Lines end with CRLF, ids ascend, dates are ISO 8601 and exact, names of tags are separated by two spaces. A field that a
  /// spreadsheet would take for a formula gets an apostrophe before it. ``ForeignContent/init(csv:limits:path:)`` reads every
  /// text back exactly. What the format has no place for: attachments, deleted notes, tags without notes, and when each part of
  /// a note was changed. The same notes give the same bytes. O(bytes).
  public func csv() -> [UInt8] {
    var sink = ByteSink()
    sink.append(contentsOf: CSVColumn.allCases.map(\.rawValue).joined(separator: ","))
    sink.append("\r\n")
    for note in notes { append(note, to: &sink) }
    return Array(sink.bytes)
  }

  /// The names of a note's tags for another program, as names must be. An id that leads nowhere is its own name.
  func tagNames(of note: Note) -> [String] {
    note.tags.compactMap { TagName(tags[$0]?.name ?? $0)?.spelling }
  }

  private func append(_ note: Note, to sink: inout ByteSink) {
    for (index, column) in CSVColumn.allCases.enumerated() {
      if index > 0 { sink.append(",") }
      switch column {
      // What no note may have, because a file from elsewhere has it, is not given.
      case .id: if note.id >= 0 { sink.append(decimal: note.id) }
      case .text: sink.append(field: note.text)
      case .tags: sink.append(field: tagNames(of: note).joined(separator: CSVColumn.tagSeparator))
      case .archived: sink.append(note.archived ? "true" : "false")
      case .created: sink.append(field: note.creationDate)
      case .sort: sink.append(field: note.sortDate)
      case .modified: sink.append(field: note.modificationDate)
      }
    }
    sink.append("\r\n")
  }
}

extension ByteSink {
  fileprivate mutating func append(field date: Date) {
    if date.timeIntervalSinceReferenceDate.isFinite { ForeignDate.append(date, to: &self) }
  }

  fileprivate mutating func append(field text: String) {
    let isDefused = FormulaGuard.defuses(text)
    let isQuoted = text.utf8.first == 0x20 || text.utf8.last == 0x20 || text.utf8.contains(where: Self.needsQuotes)
    if isQuoted { append("\"") }
    if isDefused { append("'") }
    var text = text
    text.withUTF8 { utf8 in
      var start = 0
      while isQuoted, let quote = utf8[start...].firstIndex(of: UInt8(ascii: "\"")) {
        append(UnsafeBufferPointer(rebasing: utf8[start...quote]))
        append("\"")
        start = quote + 1
      }
      append(UnsafeBufferPointer(rebasing: utf8[start...]))
    }
    if isQuoted { append("\"") }
  }

  /// The semicolon and the tab separate fields where spreadsheets are told so, or guess so.
  private static func needsQuotes(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "\n"),
      UInt8(ascii: "\r"):
      true
    default: false
    }
  }
}
