import Foundation
import SnapshotStore

/// An ambiguity in the file of a note, which the report of an import names.
enum ImportWarning: Equatable, Sendable {
  /// A title that differs from the title of the text.
  case title(String)
  /// A text in the place of a date that cannot be read as a date.
  case date(String)
}

extension [ImportWarning] {
  /// The date of a text. A text that is no date becomes a warning. An empty text is not given.
  mutating func date(_ text: String) -> Date? {
    if text.isEmpty { return nil }
    let date = ForeignDate.date(text)
    if date == nil { append(.date(text)) }
    return date
  }

  /// The date of a value.
  mutating func date(_ value: UntypedValue) -> Date? {
    if let text = value.text, value.kind == .text { return date(text) }
    if let date = value.date, value.kind == .date, date.isFinite { return date }
    let found = value.text ?? value.integer.map { "\($0)" } ?? value.number.map { "\($0)" }
    append(.date(found ?? "\(value.kind)"))
    return nil
  }
}

extension ForeignContent {
  /// One sentence for each file with a warning. Of a kind with many files, only one sentence for all.
  static func remarks(on notes: [ForeignNote]) -> [String] {
    var (titles, dates): ([String], [String]) = ([], [])
    for note in notes {
      for warning in note.warnings {
        switch warning {
        case .title(let title):
          titles.append(
            "\(SnapshotError.quoted(title)), the title in \(note.place), differs from the title of its text; the text is used"
          )
        case .date(let text):
          dates.append(
            "\(SnapshotError.quoted(text)) in \(note.place) cannot be read as a date; a new note gets another one")
        }
      }
    }
    return shortened(titles, more: "have a title that differs from the title of their text")
      + shortened(dates, more: "have a date that cannot be read")
  }

  private static func shortened(_ remarks: [String], more: String) -> [String] {
    let limit = 20
    if remarks.count <= limit + 1 { return remarks }
    return remarks.prefix(limit) + ["\(remarks.count - limit) more files \(more)"]
  }
}
