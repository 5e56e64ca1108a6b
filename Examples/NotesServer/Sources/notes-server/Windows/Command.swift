import SnapshotNotebook

/// What a window asks for: `{"do": "tag", "note": "1001", "name": "Paris"}`.
enum Command: Sendable {
  /// Lists other notes.
  case list(ListChoice, search: String)
  /// Sends more rows of the list.
  case more
  /// Follows a note.
  case open(Note.ID)
  /// Adds a note, with a tag if there is one.
  case new(tag: Tag.ID?)
  /// Writes a text into the scratchpad of a note, and commits it unless it is held. `base` is the text from which the
  /// window has started; nil if the note was gone.
  case write(Note.ID, text: String, base: String?, isHeld: Bool)
  /// Drops the scratchpad of a note.
  case discard(Note.ID)
  case addTag(Note.ID, name: String)
  case removeTag(Note.ID, Tag.ID)
  case archive(Note.ID, Bool)
  case delete(Note.ID)
  case undo
  case redo
  /// Saves now, in the file itself.
  case save
}

extension Command: Decodable {
  private enum Key: String, CodingKey {
    case `do`, list, search, note, tag, name, text, base, held, archived
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    func note() throws -> Note.ID {
      let text = try values.decode(String.self, forKey: .note)
      guard let id = Note.ID(text) else {
        throw DecodingError.dataCorruptedError(forKey: .note, in: values, debugDescription: "this is no id")
      }
      return id
    }
    func text(_ key: Key) throws -> String { try values.decode(String.self, forKey: key) }
    let name = try text(.do)
    switch name {
    case "list": self = .list(try values.decode(ListChoice.self, forKey: .list), search: try text(.search))
    case "more": self = .more
    case "open": self = .open(try note())
    case "new": self = .new(tag: try values.decodeIfPresent(Tag.ID.self, forKey: .tag))
    case "write":
      self = .write(
        try note(), text: try text(.text), base: try values.decodeIfPresent(String.self, forKey: .base),
        isHeld: try values.decode(Bool.self, forKey: .held))
    case "discard": self = .discard(try note())
    case "tag": self = .addTag(try note(), name: try text(.name))
    case "untag": self = .removeTag(try note(), try text(.tag))
    case "archive": self = .archive(try note(), try values.decode(Bool.self, forKey: .archived))
    case "delete": self = .delete(try note())
    case "undo": self = .undo
    case "redo": self = .redo
    case "save": self = .save
    default: throw DecodingError.dataCorruptedError(forKey: .do, in: values, debugDescription: "unknown: \(name)")
    }
  }
}
