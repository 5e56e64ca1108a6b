import SnapshotStore

/// The fields of a note in the front matter of its Markdown file.
extension MarkdownNoteFile {
  /// The front matter keys that this library writes; and `date`, which site generators write for `created`.
  enum Key: String {
    case title, id, tags, created, modified, archived, sorted, pictures, date
  }
}

/// Reads the values of these keys from front matter, each once.
struct MarkdownFields {
  private(set) var title: String?
  /// Whether `date` is the date of creation, for want of `created`.
  private let takesDate: Bool
  private var taken: Set<MarkdownNoteFile.Key> = []

  init(of entries: [FrontMatter.Entry]) {
    takesDate = !entries.contains { $0.key == MarkdownNoteFile.Key.created.rawValue }
  }

  /// Reads the value of an entry into a note. Returns false if the key is another one or the value cannot be read. The
  /// entry then belongs to the text.
  mutating func take(_ entry: FrontMatter.Entry, _ note: inout ForeignNote) -> Bool {
    guard let key = entry.key.flatMap(MarkdownNoteFile.Key.init), !taken.contains(key), let value = entry.value,
      take(key, value, &note)
    else { return false }
    taken.insert(key)
    return true
  }

  private mutating func take(
    _ key: MarkdownNoteFile.Key, _ value: FrontMatter.Value, _ note: inout ForeignNote
  ) -> Bool {
    switch (key, value) {
    case (.title, .scalar(let title)) where Self.isOneLine(title.text): self.title = title.text
    case (.id, .scalar(let text)):
      guard let id = Note.ID(text.text), id >= 0, "\(id)" == text.text else { return false }
      note.id = id
    case (.tags, _):
      guard let names = Self.tagNames(value) else { return false }
      note.tagNames = names
      note.givesTags = true
    case (.created, .scalar), (.modified, .scalar), (.sorted, .scalar), (.date, .scalar):
      if key == .date, !takesDate { return false }
      guard case .scalar(let text) = value, let date = NoteFileDate.date(text.text) else { return false }
      if key == .created || key == .date { note.creationDate = date }
      if key == .modified { note.modificationDate = date }
      if key == .sorted { note.sortDate = date }
    case (.archived, .scalar(let text)) where !text.isQuoted:
      switch text.text.lowercased() {
      case "true", "yes": note.archived = true
      case "false", "no": note.archived = false
      default: return false
      }
    case (.pictures, .list(let items)):
      let attachments = items.compactMap { PictureName.attachment($0.text) }
      guard attachments.count == items.count else { return false }
      note.attachments = attachments
      note.givesAttachments = true
    default: return false
    }
    return true
  }

  /// Whether a title can be the first line of a text: a single line that is not blank.
  static func isOneLine(_ title: String) -> Bool {
    !title.isEmpty && NoteText(title).title.hasSameBytes(as: title)
  }

  /// The names of a list, or of one text with commas; nil if one is not a valid tag name.
  private static func tagNames(_ value: FrontMatter.Value) -> [String]? {
    let names: [String]? =
      switch value {
      case .nothing: []
      case .list(let items): items.map(\.text)
      case .scalar(let text): text.isQuoted ? [text.text] : QuotedText.names(ofList: text.text)
      }
    guard let names else { return nil }
    let plain = names.map { name in
      name.utf8.first == UInt8(ascii: "#") && name.utf8.count > 1 ? String(Substring(name.utf8.dropFirst())) : name
    }
    return plain.allSatisfy { TagName($0) != nil } ? plain : nil
  }
}
