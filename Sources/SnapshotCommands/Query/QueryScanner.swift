import SnapshotStore

/// Reads the tokens of conditions and paths from left to right. All of a text costs O(length).
struct QueryScanner {
  enum Token: Sendable {
    /// A path; with its text if it is one plain name, which may be a word of the language.
    case path(PropertyPath, name: String?)
    case text(String)
    case number(ExactNumber)
    /// Seconds since 2001-01-01 00:00:00 UTC.
    case date(Double)
    case symbol(String)
    case end
  }

  private let text: String
  private let bytes: [UInt8]
  private(set) var offset = 0

  init(_ text: String) {
    self.text = text
    bytes = Array(text.utf8)
  }

  /// Whether only white space is left.
  var isAtEnd: Bool {
    mutating get {
      skipSpace()
      return byte == nil
    }
  }

  /// The next token.
  mutating func token() throws(QueryError) -> Token {
    skipSpace()
    guard let byte else { return .end }
    switch byte {
    case UInt8(ascii: "\""): return .text(try quoted())
    case UInt8(ascii: "["): return .path(try path(), name: nil)
    case UInt8(ascii: "-"), 0x30...0x39: return try number()
    case let byte where Self.beginsName(byte):
      let path = try path()
      guard path.steps.count == 1, case .key(let key) = path.steps[0] else { return .path(path, name: nil) }
      return .path(path, name: key.text)
    default: return .symbol(try symbol())
    }
  }

  /// Skips white space and then a character, if it is there.
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard byte == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  /// An error at the present place, or at another one.
  func error(_ message: String, at offset: Int? = nil) -> QueryError {
    QueryError(message: message, text: text, offset: offset ?? self.offset)
  }

  private var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func skipSpace() {
    while let byte, byte == 0x20 || (0x09...0x0D).contains(byte) { offset += 1 }
  }
}

// MARK: - Paths

extension QueryScanner {
  /// A path: a name or `["key"]`, then `.name`, `[0]` and `["key"]`.
  mutating func path() throws(QueryError) -> PropertyPath {
    skipSpace()
    var steps = [byte == UInt8(ascii: "[") ? try bracket() : .key(try name())]
    if case .index = steps[0] { throw error("a path begins with a name, or with a key such as [\"a key\"]") }
    while let byte {
      if byte == UInt8(ascii: "[") {
        steps.append(try bracket())
      } else if byte == UInt8(ascii: ".") {
        offset += 1
        steps.append(.key(try name()))
      } else {
        break
      }
    }
    return PropertyPath(steps)
  }

  /// Letters, `_`, `$`, and all beyond ASCII.
  private static func beginsName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
      UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }

  /// Also digits, and `-`, since the language has no subtraction.
  private static func continuesName(_ byte: UInt8) -> Bool {
    beginsName(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
  }

  private mutating func name() throws(QueryError) -> ExactText {
    let start = offset
    guard let byte, Self.beginsName(byte) else {
      throw error("expected the name of a property; other keys are [\"a key\"], and elements are [0]")
    }
    while let byte = self.byte, Self.continuesName(byte) { offset += 1 }
    return ExactText(String(decoding: bytes[start..<offset], as: UTF8.self))
  }

  private mutating func bracket() throws(QueryError) -> PropertyPath.Step {
    let start = offset
    offset += 1
    skipSpace()
    let step: PropertyPath.Step
    if byte == UInt8(ascii: "\"") {
      step = .key(ExactText(try quoted()))
    } else {
      let digits = run { (0x30...0x39).contains($0) }
      guard let index = Int(digits) else {
        throw error("expected a number from 0 or a key in double quotes", at: start + 1)
      }
      step = .index(index)
    }
    guard skip("]") else { throw error("expected “]”") }
    return step
  }
}

// MARK: - Literals

extension QueryScanner {
  private mutating func run(_ isMember: (UInt8) -> Bool) -> String {
    let start = offset
    while let byte, isMember(byte) { offset += 1 }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  /// A number or a date. Both are a run of characters, which is one of the two or an error.
  private mutating func number() throws(QueryError) -> Token {
    let start = offset
    let text = run { byte in
      Self.continuesName(byte) || [UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "+")].contains(byte)
    }
    if let number = ExactNumber(text) { return .number(number) }
    let utf8 = Array(text.utf8)
    let looksLikeDate = utf8.count > 4 && utf8[4] == UInt8(ascii: "-") && utf8[0] != UInt8(ascii: "-")
    guard looksLikeDate else {
      throw error("this is no number, as -12 or 1.5e3; texts stand in double quotes", at: start)
    }
    if let seconds = QueryDate.seconds(text) { return .date(seconds) }
    throw error("this is no date, as 2026-01-31 or 2026-01-31T10:00:00Z", at: start)
  }

  /// A text with the escapes of JSON.
  private mutating func quoted() throws(QueryError) -> String {
    let start = offset
    offset += 1
    var result: [UInt8] = []
    while let byte {
      switch byte {
      case UInt8(ascii: "\""):
        offset += 1
        return String(decoding: result, as: UTF8.self)
      case UInt8(ascii: "\\"): result += String(try escaped()).utf8
      default:
        result.append(byte)
        offset += 1
      }
    }
    throw error("the text that begins here has no end; a double quote in it is \\\"", at: start)
  }

  private mutating func escaped() throws(QueryError) -> Unicode.Scalar {
    let start = offset
    offset += 1
    guard let letter = byte else { throw error("an escape has no end", at: start) }
    offset += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try unicode(start)
    default:
      throw error("there is no such escape; those of JSON are \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u00e9", at: start)
    }
  }

  /// The scalar of `\u` and four digits. Two of them make a scalar beyond U+FFFF.
  private mutating func unicode(_ start: Int) throws(QueryError) -> Unicode.Scalar {
    let first = try fourDigits(start)
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard (0xD800...0xDBFF).contains(first), bytes[offset...].starts(with: "\\u".utf8) else {
      throw error("half of a pair of \\u escapes", at: start)
    }
    offset += 2
    let second = try fourDigits(start)
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw error("half of a pair of \\u escapes", at: start) }
    return scalar
  }

  private mutating func fourDigits(_ start: Int) throws(QueryError) -> UInt32 {
    let digits = String(decoding: bytes[offset...].prefix(4), as: UTF8.self)
    guard digits.utf8.count == 4, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
      let value = UInt32(digits, radix: 16)
    else { throw error("\\u needs four hexadecimal digits", at: start) }
    offset += 4
    return value
  }
}

// MARK: - Symbols

extension QueryScanner {
  private mutating func symbol() throws(QueryError) -> String {
    for symbol in ["==", "!=", "<=", ">=", "<", ">", "(", ")"] where bytes[offset...].starts(with: symbol.utf8) {
      offset += symbol.utf8.count
      return symbol
    }
    for (other, ours) in [("=", "=="), ("&&", "and"), ("||", "or"), ("!", "not"), ("&", "and"), ("|", "or")]
    where bytes[offset...].starts(with: other.utf8) {
      throw error("“\(other)” is written “\(ours)”")
    }
    if byte == UInt8(ascii: "'") { throw error("texts stand in double quotes") }
    throw error("this character has no meaning here; texts stand in double quotes")
  }
}
