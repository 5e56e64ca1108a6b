import Foundation
import SnapshotStore

/// The content by which notes are compared where ids cannot be used. Nil parts are not compared.
struct NoteContent: Hashable {
  var text: String
  var creationDate: Date?
  var archived: Bool?
  var sortDate: Date?
  var tags: [Tag.ID]?
  var attachments: [Attachment.ID]?

  /// The parts that are compared.
  struct Parts: Hashable {
    let creationDate, archived, sortDate, tags, attachments: Bool
  }

  var parts: Parts {
    Parts(
      creationDate: creationDate != nil, archived: archived != nil, sortDate: sortDate != nil, tags: tags != nil,
      attachments: attachments != nil)
  }

  /// Texts are equal if their bytes are.
  static func == (a: NoteContent, b: NoteContent) -> Bool {
    a.creationDate == b.creationDate && a.archived == b.archived && a.sortDate == b.sortDate && a.tags == b.tags
      && a.attachments == b.attachments && a.text.hasSameBytes(as: b.text)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(creationDate)
    hasher.combine(archived)
    hasher.combine(sortDate)
    hasher.combine(tags)
    hasher.combine(attachments)
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension NoteContent {
  /// The parts of a note.
  init(of note: Note, _ parts: Parts) {
    self.init(
      text: note.text, creationDate: parts.creationDate ? note.creationDate : nil,
      archived: parts.archived ? note.archived : nil, sortDate: parts.sortDate ? note.sortDate : nil,
      tags: parts.tags ? note.tags : nil, attachments: parts.attachments ? note.attachments : nil)
  }
}

/// Finds notes by their content, each once for the same parts: for imported notes whose ids cannot be used.
struct NoteContents {
  private let notes: Table<Note>
  /// For each choice of parts in use, the ids by content, the smallest id last.
  private var indexes: [NoteContent.Parts: [NoteContent: [Note.ID]]] = [:]

  init(of notes: Table<Note>) { self.notes = notes }

  /// The next note with a content. O(bytes of all texts) for the first call with a choice of parts, then O(1).
  mutating func popID(of content: NoteContent) -> Note.ID? {
    let parts = content.parts
    if indexes[parts] == nil { indexes[parts] = index(parts) }
    return indexes[parts]?[content]?.popLast()
  }

  private func index(_ parts: NoteContent.Parts) -> [NoteContent: [Note.ID]] {
    var index: [NoteContent: [Note.ID]] = [:]
    index.reserveCapacity(notes.count)
    for note in Array(notes).reversed() { index[NoteContent(of: note, parts), default: []].append(note.id) }
    return index
  }
}
