import SnapshotStore

/// The block between two lines `---` at the beginning of a Markdown note: the part of YAML that people write there.
///
/// It is taken apart into entries, each verbatim, which put together are the block again. A block with a line that is
/// neither `key: …`, nor belongs to the one before (indented, or `- …`), nor a comment, nor blank, is no front matter
/// but text.
struct FrontMatter {
  /// A key with its value, or comments and blank lines between two of them.
  struct Entry {
    /// Nil for what is between keys.
    let key: String?
    /// All of it, with its line breaks.
    let lines: Substring
  }

  /// The line that opens the block, with its line break.
  let opening: Substring
  let entries: [Entry]
  /// The line that closes it, with its line break if there is one.
  let closing: Substring
  /// What follows.
  let body: Substring

  /// Nil if the text does not begin with such a block. O(length of the block), or of the text if nothing closes it.
  init?(_ text: String) {
    guard text.utf8.starts(with: "---".utf8) else { return nil }
    var rest = text[...]
    guard let opening = Self.popLine(&rest), Self.isFence(opening), opening.utf8.last == UInt8(ascii: "\n") else {
      return nil
    }
    var builder = EntryBuilder(text: text)
    while let line = Self.popLine(&rest) {
      if Self.isFence(line) {
        builder.finish()
        self.opening = opening
        entries = builder.entries
        closing = line
        body = rest
        return
      }
      guard builder.take(line) else { return nil }
    }
    return nil
  }

  /// Divides a block at a line of comment: the entries before that line, in a block of their own without a body, and
  /// everything behind it. Nil if there is no such line in the block, or what is before it is no front matter. Nothing
  /// is asked of what is behind it. O(length up to that line).
  static func split(_ text: String, at comment: String) -> (block: FrontMatter, rest: Substring)? {
    guard text.utf8.starts(with: "---".utf8) else { return nil }
    var rest = text[...]
    guard let opening = popLine(&rest), isFence(opening) else { return nil }
    let start = rest.startIndex
    while let line = popLine(&rest), !isFence(line) {
      guard line.utf8.starts(with: comment.utf8),
        line.utf8.dropFirst(comment.utf8.count).allSatisfy({ " \t\r\n".utf8.contains($0) })
      else { continue }
      return FrontMatter("\(opening)\(text[start..<line.startIndex])---").map { ($0, rest) }
    }
    return nil
  }

  /// The next line with its line break; nil at the end.
  private static func popLine(_ rest: inout Substring) -> Substring? {
    guard !rest.isEmpty else { return nil }
    let utf8 = rest.utf8
    let end = utf8.firstIndex(of: UInt8(ascii: "\n")).map { utf8.index(after: $0) } ?? utf8.endIndex
    defer { rest = rest[end...] }
    return rest[..<end]
  }

  private static func isFence(_ line: Substring) -> Bool {
    line.utf8.starts(with: "---".utf8) && line.utf8.dropFirst(3).allSatisfy { " \t\r\n".utf8.contains($0) }
  }
}

/// Puts lines together into entries.
private struct EntryBuilder {
  let text: String
  private(set) var entries: [FrontMatter.Entry] = []
  private var key: String?
  private var range: Range<String.Index>?
  /// Comments and blank lines of which it is not known yet whether they stand within a value.
  private var loose: Range<String.Index>?

  init(text: String) { self.text = text }

  /// Gives false for a line that is nothing.
  mutating func take(_ line: Substring) -> Bool {
    let utf8 = line.utf8
    let first = utf8.first { !" \t\r\n".utf8.contains($0) }
    if first == nil || first == UInt8(ascii: "#") {
      loose = (loose?.lowerBound ?? line.startIndex)..<line.endIndex
      return true
    }
    if utf8.first.map({ " \t".utf8.contains($0) }) == true || Self.isItem(utf8) {
      guard let range else { return false }
      self.range = range.lowerBound..<line.endIndex
      loose = nil
      return true
    }
    guard let key = Self.key(line) else { return false }
    finish()
    self.key = key
    range = line.startIndex..<line.endIndex
    return true
  }

  mutating func finish() {
    if let range { entries.append(FrontMatter.Entry(key: key, lines: text[range])) }
    if let loose { entries.append(FrontMatter.Entry(key: nil, lines: text[loose])) }
    (key, range, loose) = (nil, nil, nil)
  }

  /// Whether a line is one of a list: a dash, and a space or nothing behind it.
  private static func isItem(_ line: Substring.UTF8View) -> Bool {
    line.first == UInt8(ascii: "-") && line.dropFirst().first.map { " \t\r\n".utf8.contains($0) } != false
  }

  /// What stands before the first colon that a space or nothing follows.
  private static func key(_ line: Substring) -> String? {
    let utf8 = line.utf8
    guard let first = utf8.first, !"[]{},&*!|>%@`?".utf8.contains(first) else { return nil }
    let colon = utf8.indices.first { index in
      utf8[index] == UInt8(ascii: ":")
        && utf8[utf8.index(after: index)...].first.map { " \t\r\n".utf8.contains($0) } != false
    }
    guard let colon, colon > utf8.startIndex else { return nil }
    return String(line[..<colon])
  }
}
