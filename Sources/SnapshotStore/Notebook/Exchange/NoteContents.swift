import Foundation

/// Finds notes by text and creation date, each once: for notes from elsewhere that have no id.
struct NoteContents {
  /// By text and date, and by text alone; the smallest id last.
  private var ids: [Key: [Note.ID]] = [:]

  /// O(bytes of all texts).
  init(of notes: Table<Note>) {
    ids.reserveCapacity(2 * notes.count)
    for note in Array(notes).reversed() {
      ids[Key(text: note.text, date: note.creationDate), default: []].append(note.id)
      ids[Key(text: note.text, date: nil), default: []].append(note.id)
    }
  }

  /// The next note with a text and a creation date, or with any date if none is known. A note is given twice at most: once
  /// for its date, once for any.
  mutating func popID(of text: String, madeAt date: Date?) -> Note.ID? {
    ids[Key(text: text, date: date)]?.popLast()
  }

  /// Texts are the same if their bytes are.
  private struct Key: Hashable {
    let text: String
    let date: Date?

    static func == (a: Key, b: Key) -> Bool { a.date == b.date && a.text.hasSameBytes(as: b.text) }

    func hash(into hasher: inout Hasher) {
      hasher.combine(date)
      var text = text
      text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
  }
}
