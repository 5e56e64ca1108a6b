import Foundation
import SnapshotStore

/// A note as a Markdown file with front matter, as Obsidian, Bear and site generators have it.
///
/// This library writes the keys `title`, `id`, `tags`, `created`, `modified`, `archived`, and, where needed, `sorted`
/// and `pictures`. It also reads `date`, as site generators write it, for `created`, and front matter in TOML. Front
/// matter with only other keys belongs to the text. An export adds the library's keys to such a block in YAML, with a
/// comment after the last of them. Before any other block the export writes one of its own.
///
/// A file with an `id` was exported by this library. Whatever a user edits in it, the text is exactly what follows the
/// library's keys. The `title` only repeats the first line, for other programs. Comments between the library's keys are
/// lost.
enum MarkdownNoteFile {
  /// Marks the end of the library's keys in a block shared with the text. Without it, an edit of the text's lines could
  /// change the values of these keys.
  private static let ownEnd = "# What follows is part of the text."

  // MARK: Writing

  /// The text of the file of a note.
  static func text(of note: ForeignNote) -> String {
    let own = ownLines(of: note)
    if let block = FrontMatter(note.text), block.syntax == .yaml,
      !block.entries.contains(where: { $0.key.flatMap(Key.init) != nil })
    {
      let entries = block.entries.map(\.lines).joined()
      let merged = "\(block.opening)\(own)\(ownEnd)\n\(entries)\(block.closing)\(block.body)"
      if self.note(in: merged, place: note.place).text.hasSameBytes(as: note.text) { return merged }
    }
    return "---\n\(own)---\n\n\(note.text)"
  }

  private static func ownLines(of note: ForeignNote) -> String {
    var lines: [(Key, String)] = []
    let title = heading(of: note.text)
    // The limit matters because a title may be as long as the note.
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

  /// The text as a YAML value: plain if it begins with a letter and contains only words, otherwise quoted.
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

  /// The note in the text of a file. A file without front matter, or without one of the library's keys in it, is
  /// nothing but text.
  ///
  /// - Parameter name: the name of the file without its extension. As in Obsidian, it is the title of a note without
  ///   another title. Nil if the name is no title.
  static func note(in text: String, place: String, name: String? = nil) -> ForeignNote {
    var note = ForeignNote(text: text, place: place)
    (note.givesTags, note.givesAttachments) = (false, false)
    let title = takeFields(of: text, &note)
    if note.creationDate != nil, note.sortDate == nil { note.sortDate = note.creationDate }
    let isTitled = title.map { $0.hasSameBytes(as: heading(of: note.text)) }
    if note.id != nil {
      note.givesAttachments = true
      // Title and text differ because one was edited. Only the text is the user's own.
      if let title, isTitled == false { note.warnings.append(.title(title)) }
    } else if let title, isTitled == false {
      note.text = prepending(title, to: note.text)
    } else if title == nil, let name, !hasTitle(note.text, like: name) {
      note.text = prepending(name, to: note.text)
    }
    return note
  }

  /// Reads the library's keys from front matter, and leaves the rest as the text of the note. Returns the title, if
  /// there is one.
  private static func takeFields(of text: String, _ note: inout ForeignNote) -> String? {
    if let (own, rest) = FrontMatter.split(text, at: ownEnd) {
      var fields = MarkdownFields(of: own.entries)
      let others = own.entries.filter { !fields.take($0, &note) }
      if others.count < own.entries.count {
        note.text = "\(own.opening)\(others.map(\.lines).joined())\(rest)"
        return fields.title
      }
    }
    guard let block = FrontMatter(text) else { return nil }
    var fields = MarkdownFields(of: block.entries)
    let others = block.entries.filter { !fields.take($0, &note) }
    if others.count < block.entries.count { note.text = self.text(of: block, without: others) }
    return fields.title
  }

  /// The text with the other entries, verbatim. Without other entries, the blank line after the block does not belong
  /// to the text.
  private static func text(of block: FrontMatter, without others: [FrontMatter.Entry]) -> String {
    let isBlank = others.allSatisfy { $0.lines.utf8.allSatisfy { " \t\r\n".utf8.contains($0) } }
    if !isBlank { return "\(block.opening)\(others.map(\.lines).joined())\(block.closing)\(block.body)" }
    let body = block.body.utf8
    let lineBreak = body.starts(with: "\r\n".utf8) ? 2 : body.first == UInt8(ascii: "\n") ? 1 : 0
    return String(Substring(body.dropFirst(lineBreak)))
  }

  // MARK: Titles and tags

  /// The title of a text without the heading marks.
  static func heading(of text: String) -> String {
    let title = NoteText(text).title
    let marks = title.utf8.prefix { $0 == UInt8(ascii: "#") }.count
    guard (1...6).contains(marks), title.utf8.dropFirst(marks).first == UInt8(ascii: " ") else { return title }
    return String(title.dropFirst(marks).drop { $0 == " " })
  }

  /// Whether a text begins with a heading, or with a line that the file could be named after.
  private static func hasTitle(_ text: String, like name: String) -> Bool {
    let title = NoteText(text).title
    if title.utf8.starts(with: "# ".utf8) { return true }
    let key = { (text: String) in String(text.lowercased().filter { $0.isLetter || $0.isNumber }.prefix(40)) }
    let (titleKey, nameKey) = (key(String(title.prefix(1_000))), key(name))
    // The name of a file may have a shortened title.
    return nameKey.isEmpty || titleKey == nameKey || nameKey.count >= 20 && titleKey.hasPrefix(nameKey)
  }

  /// The text with a heading at its beginning, but after its front matter.
  private static func prepending(_ title: String, to text: String) -> String {
    guard let block = FrontMatter(text) else { return heading(title, text[...]) }
    let start = text[..<block.body.startIndex]
    // The line that closes the block may be the last line.
    return start + (start.utf8.last == UInt8(ascii: "\n") ? "" : "\n") + heading(title, block.body)
  }

  private static func heading(_ title: String, _ body: Substring) -> String {
    body.isEmpty ? "# \(title)" : "# \(title)\n\n\(body)"
  }

  /// A tag may be written with a leading mark, so a name that begins with the mark gets one more.
  private static func hashed(_ name: String) -> String { name.utf8.first == UInt8(ascii: "#") ? "#" + name : name }
}
