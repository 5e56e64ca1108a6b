import SnapshotStore

/// Quoted text as in YAML, and lists of names in one line: `Ack, "New York, NY"`.
enum QuotedText {
  /// The text in double quotes, on one line, with only characters that every reader accepts.
  static func quoted(_ text: String) -> String {
    var result = "\"".unicodeScalars
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result.append(contentsOf: ["\\", scalar])
      case "\n": result.append(contentsOf: "\\n".unicodeScalars)
      case "\r": result.append(contentsOf: "\\r".unicodeScalars)
      case "\t": result.append(contentsOf: "\\t".unicodeScalars)
      case _ where needsEscape(scalar): result.append(contentsOf: escape(scalar).unicodeScalars)
      default: result.append(scalar)
      }
    }
    result.append("\"")
    return String(result)
  }

  /// Whether a character must be escaped.
  static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: scalar == "\u{FEFF}" || scalar.properties.isNoncharacterCodePoint
    }
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    let (letter, width) = scalar.value < 0x100 ? ("x", 2) : scalar.value < 0x10000 ? ("u", 4) : ("U", 8)
    return "\\" + letter + String(repeating: "0", count: width - digits.count) + digits
  }

  // MARK: Lists of names

  /// Names separated by commas. A name that could be misread is put in double quotes.
  static func list(_ names: [String]) -> String {
    names.map { isPlain($0) ? $0 : quoted($0) }.joined(separator: ", ")
  }

  /// The names of such a list, without empty ones; nil if a quotation is not closed or is followed by more text.
  static func names(ofList line: some StringProtocol) -> [String]? {
    var scanner = QuotedTextScanner(line)
    var names: [String] = []
    while true {
      scanner.skipSpaces()
      if scanner.skip("\"") {
        guard let name = scanner.doubleQuoted() else { return nil }
        names.append(name)
      } else {
        let name = scanner.plain(until: [","])
        if !name.isEmpty { names.append(name) }
      }
      scanner.skipSpaces()
      if scanner.isAtEnd { return names }
      guard scanner.skip(",") else { return nil }
    }
  }

  private static func isPlain(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, let last = name.unicodeScalars.last else { return false }
    return first != "\"" && ![first, last].contains(" ")
      && name.unicodeScalars.allSatisfy { $0 != "," && !needsEscape($0) }
  }
}

/// Reads quoted and plain texts, one after the other. It works on scalars: a quotation mark and an accent that begins
/// the next text are one `Character`.
struct QuotedTextScanner {
  private var rest: Substring.UnicodeScalarView

  init(_ text: some StringProtocol) { rest = Substring(text).unicodeScalars }

  var isAtEnd: Bool { rest.isEmpty }
  var next: Unicode.Scalar? { rest.first }

  mutating func skipSpaces() { rest = rest.drop { $0 == " " || $0 == "\t" } }

  mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard rest.first == scalar else { return false }
    rest.removeFirst()
    return true
  }

  /// The text before one of the stops or the end, without the spaces around it.
  ///
  /// - Parameter endsAtComment: whether a `#` after a space ends the text too.
  mutating func plain(until stops: [Unicode.Scalar], endsAtComment: Bool = false) -> String {
    skipSpaces()
    var text = String.UnicodeScalarView()
    while let scalar = rest.first, !stops.contains(scalar) {
      if endsAtComment, scalar == "#", text.last == " " || text.last == "\t" { break }
      text.append(scalar)
      rest.removeFirst()
    }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return String(text)
  }

  /// The text after a double quote, up to the next one; nil if there is none, or for an unknown escape.
  mutating func doubleQuoted() -> String? {
    var text = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\"": return String(text)
      case "\\":
        guard let meant = escaped() else { return nil }
        text.append(meant)
      default: text.append(scalar)
      }
    }
    return nil
  }

  /// The text after a single quote, up to the next one; two single quotes stand for one.
  mutating func singleQuoted() -> String? {
    var text = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      if scalar == "'", !skip("'") { return String(text) }
      text.append(scalar)
    }
    return nil
  }

  /// The scalar that the escape after a backslash stands for.
  private mutating func escaped() -> Unicode.Scalar? {
    guard let letter = rest.popFirst() else { return nil }
    switch letter {
    case "0": return "\0"
    case "a": return "\u{7}"
    case "b": return "\u{8}"
    case "t", "\t": return "\t"
    case "n": return "\n"
    case "v": return "\u{B}"
    case "f": return "\u{C}"
    case "r": return "\r"
    case "e": return "\u{1B}"
    case " ", "\"", "/", "\\": return letter
    case "N": return "\u{85}"
    case "_": return "\u{A0}"
    case "L": return "\u{2028}"
    case "P": return "\u{2029}"
    case "x": return hexadecimal(2)
    case "u": return hexadecimal(4)
    case "U": return hexadecimal(8)
    default: return nil
    }
  }

  private mutating func hexadecimal(_ width: Int) -> Unicode.Scalar? {
    let digits = String(rest.prefix(width))
    rest = rest.dropFirst(width)
    guard digits.utf8.count == width, digits.allSatisfy(\.isHexDigit) else { return nil }
    return UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
  }
}
