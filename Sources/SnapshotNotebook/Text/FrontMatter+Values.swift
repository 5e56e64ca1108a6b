import SnapshotStore

/// The values of fields in front matter.
extension FrontMatter {
  /// The value of a key.
  enum Value {
    case nothing
    case scalar(Scalar)
    case list([Scalar])
  }

  /// A text, with or without quotation marks.
  struct Scalar: Equatable {
    let text: String
    let isQuoted: Bool
  }
}

extension FrontMatter.Entry {
  /// The value; nil for a kind of value that this reader does not support: nested, over several lines, with an anchor
  /// or a type.
  var value: FrontMatter.Value? { syntax == .yaml ? yamlValue : tomlValue }

  private var tomlValue: FrontMatter.Value? {
    guard key != nil, let sign = lines.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
    let value = lines[lines.utf8.index(after: sign)...]
    if value.contains("\"\"\"") || value.contains("'''") { return nil }
    var scanner = QuotedTextScanner(Self.oneLine(ofTOML: value))
    scanner.skipSpaces()
    guard scanner.skip("[") else {
      let scalar = scanner.scalar()
      return scanner.isAtEndOrComment ? scalar.map(FrontMatter.Value.scalar) : nil
    }
    guard let items = scanner.flowItems(), items.allSatisfy(\.isQuoted), scanner.isAtEndOrComment else { return nil }
    return .list(items)
  }

  /// The value in one line, without its comments.
  private static func oneLine(ofTOML value: Substring) -> String {
    var (line, mark) = (String.UnicodeScalarView(), nil as Unicode.Scalar?)
    var (isComment, isEscaped) = (false, false)
    for scalar in value.unicodeScalars {
      if scalar == "\n" || scalar == "\r" {
        isComment = false
        line.append(" ")
      } else if !isComment, mark == nil, scalar == "#" {
        isComment = true
      } else if !isComment {
        line.append(scalar)
        if isEscaped {
          isEscaped = false
        } else if mark == "\"", scalar == "\\" {
          isEscaped = true
        } else if scalar == mark {
          mark = nil
        } else if mark == nil, scalar == "\"" || scalar == "'" {
          mark = scalar
        }
      }
    }
    return String(line)
  }

  private var yamlValue: FrontMatter.Value? {
    let lines = self.lines.utf8.split(separator: UInt8(ascii: "\n")).map { line in
      Substring(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
    }
    guard let key, let first = lines.first else { return nil }
    let rest = lines.dropFirst().filter { !Self.isBlankOrComment($0) }
    var scanner = QuotedTextScanner(first[first.utf8.index(first.startIndex, offsetBy: key.utf8.count + 1)...])
    if scanner.isAtEndOrComment {
      return rest.isEmpty ? .nothing : Self.items(rest).map(FrontMatter.Value.list)
    }
    guard rest.isEmpty else { return nil }
    scanner.skipSpaces()
    let value =
      scanner.skip("[")
      ? scanner.flowItems().map(FrontMatter.Value.list) : scanner.scalar().map(FrontMatter.Value.scalar)
    return scanner.isAtEndOrComment ? value : nil
  }

  private static func isBlankOrComment(_ line: Substring) -> Bool {
    line.unicodeScalars.first { $0 != " " && $0 != "\t" }.map { $0 == "#" } ?? true
  }

  /// The lines of a block list, each without its dash.
  private static func items(_ lines: [Substring]) -> [FrontMatter.Scalar]? {
    var items: [FrontMatter.Scalar] = []
    for line in lines {
      var scanner = QuotedTextScanner(line)
      scanner.skipSpaces()
      guard scanner.skip("-"), scanner.next.map({ $0 == " " || $0 == "\t" }) != false else { return nil }
      if scanner.isAtEndOrComment { continue }
      guard let item = scanner.scalar(), scanner.isAtEndOrComment else { return nil }
      if !item.isQuoted, item.text.utf8.last == UInt8(ascii: ":") || item.text.contains(": ") { return nil }
      items.append(item)
    }
    return items
  }
}

extension QuotedTextScanner {
  /// Whether nothing follows but a comment: `#` and a space. A `#` without a space is taken for a tag.
  fileprivate var isAtEndOrComment: Bool {
    var copy = self
    copy.skipSpaces()
    return copy.isAtEnd || copy.skip("#") && (copy.isAtEnd || copy.next == " ")
  }

  /// A text up to the end or a comment; nil if the first character can only begin another kind of value.
  fileprivate mutating func scalar(until stops: [Unicode.Scalar] = []) -> FrontMatter.Scalar? {
    skipSpaces()
    if skip("\"") { return doubleQuoted().map { FrontMatter.Scalar(text: $0, isQuoted: true) } }
    if skip("'") { return singleQuoted().map { FrontMatter.Scalar(text: $0, isQuoted: true) } }
    if let next, "[]{},&*!|>%@`".unicodeScalars.contains(next) { return nil }
    return FrontMatter.Scalar(text: plain(until: stops, endsAtComment: true), isQuoted: false)
  }

  /// The items of `[a, b]`, from the first character after the bracket.
  fileprivate mutating func flowItems() -> [FrontMatter.Scalar]? {
    var items: [FrontMatter.Scalar] = []
    while true {
      skipSpaces()
      if skip("]") { return items }
      guard let item = scalar(until: [",", "[", "]", "{", "}"]) else { return nil }
      items.append(item)
      skipSpaces()
      if !skip(","), next != "]" { return nil }
    }
  }
}
