import Foundation
import SnapshotStore

/// A note as a text file in the folder that Vesper's own program exported.
///
/// ```
/// This is a note
/// This is some more text. And more.
///
/// Picture: This_is_a_note.png
///
/// Tags: House, Cats, Song Lyrics
///
/// Created: Jun 12, 2014, 5:07 AM
/// Modified: Jun 13, 2014, 11:40 PM
/// ```
///
/// `Tags` is always there. `Picture`, `Created` and `Modified` are there only if they have a value. A text may end in
/// lines that look like these. Only the last ones belong to the program.
struct VesperExportFile {
  let text: Substring
  private(set) var picture: String?
  let tagNames: [String]
  let created: String?
  let modified: String?

  /// Nil if the file does not end as the program's files do. O(length of the last lines).
  ///
  /// - Parameter isPicture: whether the note has a picture of that name. A text may end in a line about another
  ///   picture.
  init?(_ file: String, isPicture: (String) -> Bool) {
    var lines = LinesFromEnd(rest: file[...])
    let emptyLines = lines.skipBlank()
    modified = lines.value("Modified")
    created = lines.value("Created")
    // Without dates, the file ends in the empty line after the tags.
    let hasDates = modified != nil || created != nil
    guard hasDates ? lines.skipEmpty() : emptyLines >= 2, let names = lines.value("Tags"), lines.skipEmpty() else {
      return nil
    }
    var upToPicture = lines
    if let name = upToPicture.value("Picture"), isPicture(name), upToPicture.skipEmpty(), upToPicture.rest != nil {
      picture = name
      lines = upToPicture
    }
    guard let text = lines.rest else { return nil }
    self.text = text
    // Splits scalars: an accent at the beginning of a name and the space before it are one `Character`.
    tagNames = names.unicodeScalars.split(separator: [",", " "]).map { String($0) }.filter { TagName($0) != nil }
  }
}

/// Takes lines off the end of a text.
private struct LinesFromEnd {
  /// The remaining text, without the line break at its end; nil if there is no further line, not even an empty one.
  private(set) var rest: Substring?

  private var last: (line: Substring, before: Substring?)? {
    guard let rest else { return nil }
    guard let lineFeed = rest.utf8.lastIndex(of: UInt8(ascii: "\n")) else { return (rest, nil) }
    return (rest[rest.utf8.index(after: lineFeed)...], rest[..<lineFeed])
  }

  /// Takes blank lines off, and returns their number.
  mutating func skipBlank() -> Int {
    var count = 0
    while let last, last.line.utf8.allSatisfy({ " \t\r".utf8.contains($0) }) {
      rest = last.before
      count += 1
    }
    return count
  }

  /// Takes one empty line off. If the line before it ends with a carriage return, that return is taken off too.
  mutating func skipEmpty() -> Bool {
    guard let last else { return false }
    let isReturned = last.line.utf8.elementsEqual("\r".utf8)
    guard last.line.utf8.isEmpty || isReturned else { return false }
    rest = last.before
    if isReturned, let text = rest, text.utf8.last == UInt8(ascii: "\r") {
      rest = text[..<text.utf8.index(before: text.utf8.endIndex)]
    }
    return true
  }

  /// Takes a line with a key off, and returns the text after the key; nil if the line has another key or none.
  mutating func value(_ key: StaticString) -> String? {
    guard let last else { return nil }
    let key = "\(key):".utf8
    guard last.line.utf8.starts(with: key) else { return nil }
    rest = last.before
    return String(last.line.utf8.dropFirst(key.count).trimmed)
  }
}

extension Substring.UTF8View {
  /// The text without spaces, tabs and carriage returns around it.
  fileprivate var trimmed: Substring {
    let isSpace = { (byte: UInt8) in " \t\r".utf8.contains(byte) }
    var end = endIndex
    while end > startIndex, isSpace(self[index(before: end)]) { end = index(before: end) }
    return Substring(self[..<end].drop(while: isSpace))
  }
}
