import Foundation
import SnapshotStore

/// A note as a Markdown file with front matter, as Obsidian, Bear and site generators have it.
///
/// Our keys are `title`, `id`, `tags`, `created`, `modified`, `archived`, and, where they are needed, `sorted` and
/// `pictures`. Other keys belong to the text: it begins with a block of only those. On the way out ours are put into
/// that block, and a comment marks where they end. Where the text's block has a key of ours, our block stands before it
/// instead.
///
/// A file with an `id` was exported here: whatever is edited in it, the text is exactly what stands behind our keys.
/// Its `title` only repeats the first line, for other programs. Comments within our keys are lost.
enum MarkdownNoteFile {
  /// Ends our keys in a block that the text shares. Without it, a line that is edited there could change what our keys
  /// say.
  private static let ownEnd = "# What follows is part of the text."

  // MARK: Writing

  /// The text of the file of a note.
  static func text(of note: ForeignNote) -> String {
    let own = ownLines(of: note)
    if let block = FrontMatter(note.text), !block.entries.contains(where: { $0.key.flatMap(Key.init) != nil }) {
      let entries = block.entries.map(\.lines).joined()
      let merged = "\(block.opening)\(own)\(ownEnd)\n\(entries)\(block.closing)\(block.body)"
      if self.note(in: merged, place: note.place).text.hasSameBytes(as: note.text) { return merged }
    }
    return "---\n\(own)---\n\n\(note.text)"
  }

  private static func ownLines(of note: ForeignNote) -> String {
    var lines: [(Key, String)] = []
    let title = heading(of: note.text)
    // A title may be as long as the note.
    if title.utf8.count <= 1_000, MarkdownFields.isOneLine(title) { lines.append((.title, scalar(title))) }
    if let id = note.id { lines.append((.id, "\(id)")) }
    lines.append((.tags, "[\(note.tagNames.map { scalar(hashed($0)) }.joined(separator: ", "))]"))
    let (created, sorted) = (note.creationDate.flatMap(NoteFileDate.text), note.sortDate.flatMap(NoteFileDate.text))
    let modified = note.modificationDate.flatMap(NoteFileDate.text)
    for (key, text) in [(Key.created, created), (.modified, modified), (.sorted, sorted != created ? sorted : nil)] {
      if let text { lines.append((key, text)) }
    }
    lines.append((.archived, "\(note.archived ?? false)"))
    if !note.attachments.isEmpty {
      let pictures = note.attachments.map { QuotedText.quoted(PictureName.text(of: $0)) }
      lines.append((.pictures, "[\(pictures.joined(separator: ", "))]"))
    }
    return lines.map { "\($0.rawValue): \($1)\n" }.joined()
  }

  /// The text as a value of YAML: as it is if it begins with a letter and is nothing but words, else in quotes.
  private static func scalar(_ text: String) -> String {
    let special: Set<String> = ["true", "false", "yes", "no", "on", "off", "y", "n", "null"]
    let isPlain =
      text.unicodeScalars.first?.properties.isAlphabetic == true && text.utf8.last != UInt8(ascii: " ")
      && !special.contains(text.lowercased())
      && text.unicodeScalars.allSatisfy { scalar in
        let category = scalar.properties.generalCategory
        return scalar.properties.isAlphabetic || " _-/.".unicodeScalars.contains(scalar) || category == .decimalNumber
      }
    return isPlain ? text : QuotedText.quoted(text)
  }

  // MARK: Reading

  /// The note in the text of a file. One without front matter, or without a key of ours in it, is text and nothing
  /// else.
  ///
  /// - Parameter name: of the file, without its extension: the title of a note that has no other, as Obsidian has it;
  ///   nil if it is none.
  static func note(in text: String, place: String, name: String? = nil) -> ForeignNote {
    var note = ForeignNote(text: text, place: place)
    (note.givesTags, note.givesAttachments) = (false, false)
    let title = takeFields(of: text, &note)
    if note.creationDate != nil, note.sortDate == nil { note.sortDate = note.creationDate }
    let isTitled = title.map { $0.hasSameBytes(as: heading(of: note.text)) }
    if note.id != nil {
      note.givesAttachments = true
      // One of the two was edited, and only the text is the user's own.
      if let title, isTitled == false { note.doubts.append(.title(title)) }
    } else if let title, isTitled == false {
      note.text = prepending(title, to: note.text)
    } else if title == nil, let name, !hasTitle(note.text, like: name) {
      note.text = prepending(name, to: note.text)
    }
    return note
  }

  /// Takes our keys out of front matter, and leaves the rest as the text of the note. Gives the title, if there is one.
  private static func takeFields(of text: String, _ note: inout ForeignNote) -> String? {
    var fields = MarkdownFields()
    if let (own, rest) = FrontMatter.split(text, at: ownEnd) {
      let others = own.entries.filter { !fields.take($0, &note) }
      if others.count < own.entries.count {
        note.text = "\(own.opening)\(others.map(\.lines).joined())\(rest)"
        return fields.title
      }
    }
    if let block = FrontMatter(text) {
      let others = block.entries.filter { !fields.take($0, &note) }
      if others.count < block.entries.count { note.text = self.text(of: block, without: others) }
    }
    return fields.title
  }

  /// The text with the entries that are not ours, verbatim; without any, the blank line behind the block is not part of
  /// it.
  private static func text(of block: FrontMatter, without others: [FrontMatter.Entry]) -> String {
    let isBlank = others.allSatisfy { $0.lines.utf8.allSatisfy { " \t\r\n".utf8.contains($0) } }
    if !isBlank { return "\(block.opening)\(others.map(\.lines).joined())\(block.closing)\(block.body)" }
    let body = block.body.utf8
    let lineBreak = body.starts(with: "\r\n".utf8) ? 2 : body.first == UInt8(ascii: "\n") ? 1 : 0
    return String(Substring(body.dropFirst(lineBreak)))
  }

  // MARK: Titles and tags

  /// The title of a text without the marks of a heading.
  static func heading(of text: String) -> String {
    let title = NoteText(text).title
    let marks = title.utf8.prefix { $0 == UInt8(ascii: "#") }.count
    guard (1...6).contains(marks), title.utf8.dropFirst(marks).first == UInt8(ascii: " ") else { return title }
    return String(title.dropFirst(marks).drop { $0 == " " })
  }

  /// Whether a text begins with a heading, or with what a file may be called after.
  private static func hasTitle(_ text: String, like name: String) -> Bool {
    let title = NoteText(text).title
    if title.utf8.starts(with: "# ".utf8) { return true }
    let key = { (text: String) in String(text.lowercased().filter { $0.isLetter || $0.isNumber }.prefix(40)) }
    let (titleKey, nameKey) = (key(String(title.prefix(1_000))), key(name))
    // A long title is cut for the name.
    return nameKey.isEmpty || titleKey == nameKey || nameKey.count >= 20 && titleKey.hasPrefix(nameKey)
  }

  /// The text with a heading at its beginning, but behind front matter.
  private static func prepending(_ title: String, to text: String) -> String {
    guard let block = FrontMatter(text) else { return heading(title, text[...]) }
    let start = text[..<block.body.startIndex]
    // The line that closes the block may be the last one.
    return start + (start.utf8.last == UInt8(ascii: "\n") ? "" : "\n") + heading(title, block.body)
  }

  private static func heading(_ title: String, _ body: Substring) -> String {
    body.isEmpty ? "# \(title)" : "# \(title)\n\n\(body)"
  }

  /// A tag may have a mark in front, so a name that begins with one gets one more.
  private static func hashed(_ name: String) -> String { name.utf8.first == UInt8(ascii: "#") ? "#" + name : name }
}
