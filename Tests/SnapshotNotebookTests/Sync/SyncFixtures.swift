import Foundation

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Notebooks with separate edits: few ids, tags and dates, so that edits often collide.
enum SyncFixtures {
  /// Seconds of a few days with and without a fraction, some of them within the same second.
  static let dates: [Date] = [0, 0.25, 0.75, 1, 86_400, 86_400.123_456_789, 172_800, -0.5].map { .day(1) + $0 }
  private static let names = ["Paris", "PARIS", "paris", "New York", "new york", "\u{301}e", "Ünïcode", "日本", "A"]
  private static let texts = [
    "", "a", "b", "longer", "two\nlines", "\u{E9}", "e\u{301}", "\u{0}\u{2028}\u{85}\"\\", "😀 a  b",
  ]

  static func notebook(
    using random: inout SeededGenerator, hasTombstones: Bool = true, hasUnknownDates: Bool = true
  ) -> Notebook {
    var notebook = Notebook.empty()
    for name in names.shuffled(using: &random).prefix(5) {
      guard let name = TagName(name), notebook.tags[name.id] == nil else { continue }
      _ = notebook.add(SnapshotNotebook.Tag(name, nameModificationDate: date(hasUnknownDates, &random)))
    }
    let attachments = (0..<4).map { number in
      Attachment(id: "p\(number)", mimeType: "image/png", height: .random(in: 0...1, using: &random), width: 2)
    }
    var notes: [Note] = []
    var deletions: [DeletedNote] = []
    for id: Note.ID in [1000, 1001, 1002, 1003, 1999, 2000, 1 << 60] {
      switch Int.random(in: 0..<6, using: &random) {
      case 0: break
      case 1 where hasTombstones:
        deletions.append(DeletedNote(id: id, deletionDate: date(hasUnknownDates, &random)))
      default: notes.append(note(id, notebook, attachments, hasUnknownDates, &random))
      }
    }
    notebook.putAll(notes: notes.map { RecordBox($0) }, attachments: attachments, deletions: deletions)
    return notebook
  }

  private static func note(
    _ id: Note.ID, _ notebook: Notebook, _ attachments: [Attachment], _ hasUnknownDates: Bool,
    _ random: inout SeededGenerator
  ) -> Note {
    var note = Note(
      id: id, text: texts.randomElement(using: &random) ?? "",
      creationDate: dates.randomElement(using: &random) ?? .day(1))
    note.archived = .random(using: &random)
    note.sortDate = dates.randomElement(using: &random) ?? .day(1)
    note.modificationDate = dates.randomElement(using: &random) ?? .day(1)
    note.textModificationDate = date(hasUnknownDates, &random)
    note.archivedModificationDate = date(hasUnknownDates, &random)
    note.sortDateModificationDate = date(hasUnknownDates, &random)
    note.tagsModificationDate = date(hasUnknownDates, &random)
    note.attachmentsModificationDate = date(hasUnknownDates, &random)
    // A tombstone without a date counts only against such notes.
    if hasUnknownDates, Int.random(in: 0..<4, using: &random) == 0 { note.forgetPropertyDates() }
    note.tags = Array(notebook.tags.ids.shuffled(using: &random).prefix(.random(in: 0...3, using: &random)))
    note.attachments = attachments.map(\.id).shuffled(using: &random).dropLast(.random(in: 0...4, using: &random))
    return note
  }

  /// A note of day 1 without the date of any property.
  static func undatedNote(_ id: Note.ID) -> Note {
    var note = Note(id: id, text: "without dates", creationDate: .day(1))
    note.forgetPropertyDates()
    return note
  }

  private static func date(_ mayBeUnknown: Bool, _ random: inout SeededGenerator) -> Date? {
    mayBeUnknown && Int.random(in: 0..<5, using: &random) == 0 ? nil : dates.randomElement(using: &random)
  }
}

extension Note {
  fileprivate mutating func forgetPropertyDates() {
    textModificationDate = nil
    archivedModificationDate = nil
    sortDateModificationDate = nil
    tagsModificationDate = nil
    attachmentsModificationDate = nil
  }
}

extension Notebook {
  /// The same notebook, limited to the content of Vesper's format.
  var asVesperHoldsIt: Notebook {
    var result = part(notes: [], tags: Array(tags), deletions: Array(deletedNotes))
    let notes = notes.map { note in
      var note = note
      let dates = [
        note.textModificationDate, note.archivedModificationDate, note.sortDateModificationDate,
        note.tagsModificationDate, note.attachmentsModificationDate,
      ]
      note.modificationDate = dates.compactMap(\.self).max() ?? note.creationDate
      return note
    }
    let used = Set(notes.flatMap(\.attachments))
    result.putAll(
      notes: notes.map { RecordBox($0) }, attachments: attachments.filter { used.contains($0.id) }, deletions: [])
    return result
  }
}
