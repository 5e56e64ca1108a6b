/// Collects the lines of front matter in TOML into entries: `key = value`, comments, and tables.
///
/// A value may go over several lines: an array up to its bracket, a text in three quotation marks. The first table ends
/// the keys: it and everything behind it is one entry without a key.
struct TOMLEntries: FrontMatterEntries {
  private let text: String
  private(set) var entries: [FrontMatter.Entry] = []
  private var key: String?
  private var range: Range<String.Index>?
  private var value = OpenValue()
  private var isInTable = false

  init(text: String) { self.text = text }

  mutating func take(_ line: Substring) -> Bool {
    let content = line.drop { $0 == " " || $0 == "\t" }
    if value.isOpen || isInTable {
      range = (range?.lowerBound ?? line.startIndex)..<line.endIndex
      return isInTable || value.take(content)
    }
    let start = content.utf8.first
    let isLoose = start.map { "#\r\n".utf8.contains($0) } ?? true
    if isLoose, key == nil, let range {
      self.range = range.lowerBound..<line.endIndex
      return true
    }
    finish()
    range = line.startIndex..<line.endIndex
    if isLoose { return true }
    if start == UInt8(ascii: "[") {
      isInTable = true
      return true
    }
    guard let sign = content.utf8.firstIndex(of: UInt8(ascii: "=")), sign > content.startIndex else { return false }
    let name = content[..<sign].utf8.prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    key = String(Substring(name))
    return value.take(content[content.utf8.index(after: sign)...])
  }

  mutating func finish() {
    if let range { entries.append(FrontMatter.Entry(key: key, lines: text[range], syntax: .toml)) }
    (key, range) = (nil, nil)
  }

  var isComplete: Bool { !value.isOpen }
}

/// What a value that goes over several lines still needs.
private struct OpenValue {
  private var depth = 0
  /// The three quotation marks that end a text.
  private var quotation: UInt8?
  var isOpen: Bool { depth > 0 || quotation != nil }

  /// Returns false for a text of one line that does not end on it, and for a bracket too many.
  mutating func take(_ line: Substring) -> Bool {
    var rest = line.utf8[...]
    while let byte = rest.popFirst() {
      if let mark = quotation {
        if byte == UInt8(ascii: "\\"), mark == UInt8(ascii: "\"") { _ = rest.popFirst() }
        if byte == mark, rest.starts(with: [mark, mark]) {
          rest.removeFirst(2)
          // A text may end with one or two of the marks.
          for _ in 0..<2 where rest.first == mark { rest.removeFirst() }
          quotation = nil
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        if depth < 0 { return false }
      case UInt8(ascii: "#"): return true
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        if rest.starts(with: [byte, byte]) {
          rest.removeFirst(2)
          quotation = byte
        } else if !Self.skipText(&rest, byte) {
          return false
        }
      default: break
      }
    }
    return true
  }

  private static func skipText(_ rest: inout Substring.UTF8View, _ mark: UInt8) -> Bool {
    while let byte = rest.popFirst() {
      if byte == mark { return true }
      if byte == UInt8(ascii: "\\"), mark == UInt8(ascii: "\"") { _ = rest.popFirst() }
    }
    return false
  }
}
