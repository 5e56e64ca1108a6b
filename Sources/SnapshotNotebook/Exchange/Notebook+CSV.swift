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
    var csv = CSVSink()
    for column in CSVColumn.allCases { csv.append(verbatim: column.rawValue) }
    csv.endLine()
    for note in notes { append(note, to: &csv) }
    return csv.finish()
  }

  private func append(_ note: Note, to csv: inout CSVSink) {
    for column in CSVColumn.allCases {
      switch column {
      // A negative id can come from a file from elsewhere. No note may have one, so it is left out.
      case .id: csv.append(verbatim: note.id >= 0 ? "\(note.id)" : "")
      case .text: csv.append(note.text)
      case .tags: csv.append(tagNames(of: note).joined(separator: CSVColumn.tagSeparator))
      case .archived: csv.append(verbatim: note.archived ? "true" : "false")
      case .created: csv.append(verbatim: Self.text(of: note.creationDate))
      case .sort: csv.append(verbatim: Self.text(of: note.sortDate))
      case .modified: csv.append(verbatim: Self.text(of: note.modificationDate))
      }
    }
    csv.endLine()
  }

  private static func text(of date: Date) -> String {
    date.timeIntervalSinceReferenceDate.isFinite ? ForeignDate.text(date) : ""
  }
}
