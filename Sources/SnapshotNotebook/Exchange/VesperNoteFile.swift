import Foundation
import SnapshotStore

/// A note as a text file in a folder like that of Vesper's export: the text, a blank line, and a block of lines.
///
/// ```
/// Picture: photo.jpg
/// Tags: Paris, "New York, NY"
/// Created: 2014-01-02T03:04:05Z
/// Modified: 2014-01-02T03:04:05.25Z
/// ```
///
/// `Picture` may occur several times. `ID`, and `Sorted` for a sort date that differs from the creation date, are
/// additions of this library. The block is always written, and only the last block is removed on reading. A text that
/// ends in such a block is therefore read back as it was.
///
/// The reader also knows the form of Vesper's own program (`VesperExportFile`). It has empty lines within the block, no
/// `ID`, and dates in the language of the device.
enum VesperNoteFile {
  private enum Key: String, CaseIterable {
    case picture = "Picture"
    case tags = "Tags"
    case created = "Created"
    case modified = "Modified"
    case sorted = "Sorted"
    case id = "ID"
  }

  // MARK: Writing

  /// The text of the file of a note.
  static func text(of note: ForeignNote) -> String {
    var lines = note.attachments.map { (Key.picture, PictureName.text(of: $0)) }
    // One of these two lines tells our block from Vesper's.
    if !note.tagNames.isEmpty || note.id == nil { lines.append((.tags, QuotedText.list(note.tagNames))) }
    lines.append((.created, date(note.creationDate)))
    lines.append((.modified, date(note.modificationDate)))
    let sortDate = date(note.sortDate)
    if sortDate != date(note.creationDate) { lines.append((.sorted, sortDate)) }
    if let id = note.id { lines.append((.id, "\(id)")) }
    let block = lines.map { "\($0.rawValue): \($1)\n" }.joined()
    return "\(note.text)\n\n\(block)"
  }

  private static let unknown = "unknown"

  private static func date(_ date: Date?) -> String { date.flatMap(NoteFileDate.text) ?? unknown }

  // MARK: Reading

  /// The note in the text of a file. A file without a block, or with a block that cannot be read, is nothing but text.
  ///
  /// - Parameter name: the name of the file without its extension.
  static func note(
    in text: String, place: String, name: String = "", context: NoteFileContext = NoteFileContext()
  ) -> ForeignNote {
    let block = split(text)
    let own = block.flatMap { Self.note($0.text, $0.lines, place) }
    if let own, block?.lines.allSatisfy({ $0.0 == .created || $0.0 == .modified }) == false { return own }
    if let file = VesperExportFile(text, isPicture: { context.isPicture($0, name) }) {
      return file.note(place: place, name: name, context: context)
    }
    if let own { return own }
    var note = ForeignNote(text: text, place: place)
    (note.givesTags, note.givesAttachments) = (false, false)
    return note
  }

  private static func note(_ text: Substring, _ lines: [(Key, String)], _ place: String) -> ForeignNote? {
    var note = ForeignNote(text: String(text), place: place)
    var met: Set<Key> = []
    for (key, value) in lines {
      guard met.insert(key).inserted || key == .picture, take(key, value, &note) else { return nil }
    }
    if !met.contains(.sorted) { note.sortDate = note.creationDate }
    return met.contains(.created) ? note : nil
  }

  /// Returns false for a value that cannot be read.
  private static func take(_ key: Key, _ value: String, _ note: inout ForeignNote) -> Bool {
    switch key {
    case .picture:
      guard let attachment = PictureName.attachment(value) else { return false }
      note.attachments.append(attachment)
    case .tags:
      guard let names = QuotedText.names(ofList: value), names.allSatisfy({ TagName($0) != nil }) else { return false }
      note.tagNames = names
    case .id:
      guard let id = Note.ID(value), id >= 0, "\(id)" == value else { return false }
      note.id = id
    case .created, .modified, .sorted:
      let date = NoteFileDate.date(value)
      if date == nil, value != unknown { return false }
      if key == .created { note.creationDate = date }
      if key == .modified { note.modificationDate = date }
      if key == .sorted { note.sortDate = date }
    }
    return true
  }

  /// The text before the last blank line, and the lines after it if all of them may belong to a block.
  private static func split(_ text: String) -> (text: Substring, lines: [(Key, String)])? {
    let utf8 = text.utf8
    var end = utf8.endIndex
    while end > utf8.startIndex, " \t\r\n".utf8.contains(utf8[utf8.index(before: end)]) {
      end = utf8.index(before: end)
    }
    var lines: [(Key, String)] = []
    while true {
      let start = utf8[..<end].lastIndex(of: UInt8(ascii: "\n")).map { utf8.index(after: $0) } ?? utf8.startIndex
      // A line of the block needs a line before it, at least the blank one.
      guard start > utf8.startIndex else { return nil }
      let isReturned = start < end && utf8[utf8.index(before: end)] == UInt8(ascii: "\r")
      let line = text[start..<(isReturned ? utf8.index(before: end) : end)]
      if line.isEmpty {
        return (text[..<lineEnd(before: start, in: utf8, isReturned: isReturned)], lines.reversed())
      }
      guard let (key, value) = keyAndValue(line) else { return nil }
      lines.append((key, value))
      end = utf8.index(before: start)
    }
  }

  /// The end of the line before a line. A carriage return is removed only before a blank line that ends with one too.
  /// In files of this library it belongs to the text.
  private static func lineEnd(
    before start: String.Index, in utf8: String.UTF8View, isReturned: Bool
  ) -> String.Index {
    let lineFeed = utf8.index(before: start)
    guard isReturned, lineFeed > utf8.startIndex else { return lineFeed }
    let before = utf8.index(before: lineFeed)
    return utf8[before] == UInt8(ascii: "\r") ? before : lineFeed
  }

  private static func keyAndValue(_ line: Substring) -> (Key, String)? {
    guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")), let key = Key(rawValue: String(line[..<colon]))
    else {
      return nil
    }
    var scanner = QuotedTextScanner(line[line.utf8.index(after: colon)...])
    return (key, scanner.plain(until: []))
  }
}
