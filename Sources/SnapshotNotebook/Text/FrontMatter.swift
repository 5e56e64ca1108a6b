import SnapshotStore

/// The block between two lines `---` at the beginning of a Markdown note: the part of YAML that people write there. Or
/// that between two lines `+++`, in TOML: ``TOMLEntries``.
///
/// The block is split into entries, each verbatim. Concatenated, the entries give the block again. In YAML each line of
/// the block is `key: …`, a comment, blank, or a continuation of the line before (indented, or `- …`). A block with any
/// other line is no front matter but text.
struct FrontMatter {
  enum Syntax {
    case yaml, toml

    fileprivate var fence: String.UTF8View { self == .yaml ? "---".utf8 : "+++".utf8 }
  }

  /// A key with its value, or the comments and blank lines between two keys.
  struct Entry {
    /// The key; nil for comments and blank lines between keys.
    let key: String?
    /// The whole entry, with its line breaks.
    let lines: Substring
    let syntax: Syntax
  }

  let syntax: Syntax

  /// The line that opens the block, with its line break.
  let opening: Substring
  let entries: [Entry]
  /// The line that closes the block, with its line break if there is one.
  let closing: Substring
  /// The text after the block.
  let body: Substring

  /// Nil if the text does not begin with front matter. O(length of the block), or of the text if no line closes the
  /// block.
  init?(_ text: String) {
    syntax = text.utf8.first == UInt8(ascii: "+") ? .toml : .yaml
    guard text.utf8.starts(with: syntax.fence) else { return nil }
    var rest = text[...]
    guard let opening = Self.popLine(&rest), Self.isFence(opening, syntax), opening.utf8.last == UInt8(ascii: "\n")
    else { return nil }
    var builder: any FrontMatterEntries = syntax == .yaml ? YAMLEntries(text: text) : TOMLEntries(text: text)
    while let line = Self.popLine(&rest) {
      if Self.isFence(line, syntax), builder.isComplete {
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

  /// Splits a block at a line of comment. The entries before that line form a block without a body; the rest is
  /// everything after the line. Nil if the block has no such line, or if the text before it is no front matter. The
  /// text after the line is not checked. O(length up to that line).
  static func split(_ text: String, at comment: String) -> (block: FrontMatter, rest: Substring)? {
    guard text.utf8.starts(with: Syntax.yaml.fence) else { return nil }
    var rest = text[...]
    guard let opening = popLine(&rest), isFence(opening, .yaml) else { return nil }
    let start = rest.startIndex
    while let line = popLine(&rest), !isFence(line, .yaml) {
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

  private static func isFence(_ line: Substring, _ syntax: Syntax) -> Bool {
    line.utf8.starts(with: syntax.fence) && line.utf8.dropFirst(3).allSatisfy { " \t\r\n".utf8.contains($0) }
  }
}

/// Collects the lines of front matter into entries.
protocol FrontMatterEntries {
  var entries: [FrontMatter.Entry] { get }
  /// Whether the last value has ended.
  var isComplete: Bool { get }

  /// Returns false for a line that cannot stand in front matter.
  mutating func take(_ line: Substring) -> Bool
  mutating func finish()
}

/// Collects lines of YAML.
private struct YAMLEntries: FrontMatterEntries {
  let text: String
  private(set) var entries: [FrontMatter.Entry] = []
  private var key: String?
  private var range: Range<String.Index>?
  /// Comments and blank lines that may still turn out to stand within a value.
  private var loose: Range<String.Index>?

  init(text: String) { self.text = text }

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
    if let range { entries.append(FrontMatter.Entry(key: key, lines: text[range], syntax: .yaml)) }
    if let loose { entries.append(FrontMatter.Entry(key: nil, lines: text[loose], syntax: .yaml)) }
    (key, range, loose) = (nil, nil, nil)
  }

  var isComplete: Bool { true }

  /// Whether a line is a list item: a dash, followed by a space or nothing.
  private static func isItem(_ line: Substring.UTF8View) -> Bool {
    line.first == UInt8(ascii: "-") && line.dropFirst().first.map { " \t\r\n".utf8.contains($0) } != false
  }

  /// The text before the first colon that is followed by a space or nothing.
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
