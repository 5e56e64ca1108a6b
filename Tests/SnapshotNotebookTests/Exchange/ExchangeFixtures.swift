import Foundation

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Notebooks whose texts, names and dates test every rule of a format.
struct AwkwardNotebooks {
  var random: SeededGenerator

  private static let pieces = [
    "=", "+", "-", "@", "\t", "\r", "\n", "\r\n", "'", "''", "\"", "\"\"", ",", ";", "  ", " ", "a", "B", "é",
    "e\u{301}", "\u{301}",
    "日本", "🎈", "＝", "＋", "－", "＠", "\u{0}", "\u{85}", "\u{2028}", "\u{FEFF}", "\\", "\\n", "{", "}", "SUM(A1)",
    "id,text", "true", "\u{7F}",
  ]

  mutating func text() -> String {
    (0..<Int.random(in: 0...6, using: &random)).map { _ in Self.pieces.randomElement(using: &random)! }.joined()
  }

  mutating func date() -> Date {
    let seconds: Double
    switch Int.random(in: 0..<6, using: &random) {
    case 0: seconds = Double(Int.random(in: -1_000_000_000...1_000_000_000, using: &random))
    case 1: seconds = Double(bitPattern: .random(in: 0...UInt64.max, using: &random))
    case 2: seconds = [-0.0, 0, 1e300, -1e300, 252_423_993_599, -63_113_904_001].randomElement(using: &random)!
    default: seconds = .random(in: -1e9...1e9, using: &random)
    }
    return Date(timeIntervalSinceReferenceDate: seconds.isFinite ? seconds : 0.1)
  }

  mutating func notebook() throws -> Notebook {
    var notebook = Notebook.empty()
    let photo = Attachment(id: text() + "1", mimeType: text(), height: 3, width: 0)
    try notebook.add(photo)
    var tags: [Tag.ID] = []
    for _ in 0..<8 {
      if let name = TagName(text()) { tags.append(notebook.tag(named: name.spelling).id) }
    }
    for _ in 0..<Int.random(in: 0...20, using: &random) {
      var note = Note(id: .random(in: 0...Int64.max, using: &random), text: text(), creationDate: date())
      note.archived = Bool.random(using: &random)
      note.sortDate = date()
      note.modificationDate = date()
      note.textModificationDate = Bool.random(using: &random) ? date() : nil
      note.archivedModificationDate = Bool.random(using: &random) ? date() : nil
      note.sortDateModificationDate = Bool.random(using: &random) ? date() : nil
      note.tagsModificationDate = Bool.random(using: &random) ? date() : nil
      note.attachmentsModificationDate = Bool.random(using: &random) ? date() : nil
      note.tags = Array(tags.shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random))).uniqued()
      note.attachments = Bool.random(using: &random) ? [photo.id] : []
      try notebook.upsert(note)
    }
    return notebook
  }
}
