/// A position in the text of an XML property list, and as much of XML as such lists have.
///
/// Elements without attributes, text, CDATA, comments, the five named entities and character references. There is no
/// other entity, because a document type with declarations of its own is refused: nothing can expand.
struct XMLScanner {
  let source: SourceText
  private(set) var offset: Int
  private var bytes: [UInt8] { source.bytes }

  init(_ source: SourceText) {
    self.source = source
    offset = source.bytes.starts(with: FileFormat.utf8ByteOrderMark) ? 3 : 0
  }

  func failure(_ message: String, at place: Int? = nil, _ code: SnapshotError.Code = .malformed) -> SnapshotError {
    SnapshotError(code, message, position: source.position(place ?? offset))
  }

  var isAtEnd: Bool { offset >= bytes.count }

  func isNext(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes[min(offset, bytes.count)...].starts(with: $0) }
  }

  mutating func skip(_ text: StaticString) -> Bool {
    guard isNext(text) else { return false }
    offset += text.utf8CodeUnitCount
    return true
  }

  mutating func skipWhitespace() {
    while offset < bytes.count, FileFormat.isWhitespace(bytes[offset]) { offset += 1 }
  }

  /// Skips white space and comments.
  mutating func skipFiller() throws(SnapshotError) {
    skipWhitespace()
    while isNext("<!--") {
      let start = offset
      offset += 4
      try skipPast("-->", orFail: "the comment is not closed", at: start)
      skipWhitespace()
    }
  }

  private mutating func skipPast(_ end: StaticString, orFail message: String, at start: Int) throws(SnapshotError) {
    while !isNext(end) {
      guard offset < bytes.count else { throw failure(message, at: start) }
      offset += 1
    }
    offset += end.utf8CodeUnitCount
  }

  // MARK: Before and after the value

  /// Reads everything up to the root value.
  mutating func prologue() throws(SnapshotError) {
    if isNext("<?xml") { try declaration() }
    try skipFiller()
    if isNext("<!DOCTYPE") { try documentType() }
    try skipFiller()
    guard skip("<plist version=\"1.0\">") || skip("<plist>") else { throw failure("expected <plist version=\"1.0\">") }
  }

  /// Reads everything from the end of the root value.
  mutating func epilogue() throws(SnapshotError) {
    try skipFiller()
    try closeTag("plist")
    try skipFiller()
    if !isAtEnd { throw failure("nothing may follow </plist>") }
  }

  private mutating func declaration() throws(SnapshotError) {
    let start = offset
    try skipPast("?>", orFail: "the XML declaration is not closed", at: start)
    let text = String(decoding: bytes[start..<offset], as: UTF8.self).lowercased().replacing("'", with: "\"")
    let encodings = ["", " encoding=\"utf-8\"", " encoding=\"us-ascii\""]
    guard encodings.contains(where: { text == "<?xml version=\"1.0\"\($0)?>" }) else {
      throw failure("the XML declaration must state version 1.0 and UTF-8", at: start)
    }
  }

  private mutating func documentType() throws(SnapshotError) {
    let start = offset
    offset += "<!DOCTYPE".utf8.count
    while offset < bytes.count, bytes[offset] != UInt8(ascii: ">"), bytes[offset] != UInt8(ascii: "[") { offset += 1 }
    let words = String(decoding: bytes[start..<offset], as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard skip(">"), words.prefix(2) == ["<!DOCTYPE", "plist"], words.count == 2 || words.dropFirst(2).first == "PUBLIC"
    else {
      throw failure("the document type must be that of property lists, without declarations of its own", at: start)
    }
  }

  // MARK: Elements

  /// A start tag, already behind the position.
  struct Tag {
    let name: String
    let isEmpty: Bool
    let offset: Int
  }

  /// Reads a start tag, or gives nil and stays if the next thing is not one.
  mutating func openTag() throws(SnapshotError) -> Tag? {
    try skipFiller()
    let start = offset
    guard isNext("<"), !isNext("</") else { return nil }
    offset += 1
    let name = self.name()
    skipWhitespace()
    let isEmpty = skip("/")
    guard !name.isEmpty, skip(">") else { throw failure("expected the tag of a property list", at: start) }
    return Tag(name: name, isEmpty: isEmpty, offset: start)
  }

  private mutating func name() -> String {
    let start = offset
    while offset < bytes.count, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[offset] | 0x20) { offset += 1 }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  mutating func closeTag(_ name: String) throws(SnapshotError) {
    let start = offset
    guard skip("</"), self.name() == name else { throw failure("expected </\(name)>", at: start) }
    skipWhitespace()
    guard skip(">") else { throw failure("expected </\(name)>", at: start) }
  }

  /// The text of an element that holds nothing else, and its end tag.
  mutating func text(of tag: Tag) throws(SnapshotError) -> String {
    if tag.isEmpty { return "" }
    var result: [UInt8] = []
    while offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: "<"):
        if skip("<![CDATA[") {
          try characterData(into: &result)
          continue
        }
        try closeTag(tag.name)
        return String(decoding: result, as: UTF8.self)
      case UInt8(ascii: "&"): result.append(contentsOf: String(try reference()).utf8)
      default: try character(into: &result)
      }
    }
    throw failure("<\(tag.name)> is not closed", at: tag.offset)
  }

  private mutating func characterData(into result: inout [UInt8]) throws(SnapshotError) {
    let start = offset
    while !isNext("]]>") {
      if isAtEnd { throw failure("the CDATA section is not closed", at: start) }
      try character(into: &result)
    }
    offset += 3
  }

  /// Takes over one byte of text. Line ends become line feeds, as section 2.11 of XML 1.0 has it.
  private mutating func character(into result: inout [UInt8]) throws(SnapshotError) {
    switch bytes[offset] {
    case 0x0D:
      if offset + 1 >= bytes.count || bytes[offset + 1] != 0x0A { result.append(0x0A) }
    case 0x09, 0x0A: result.append(bytes[offset])
    case ..<0x20: throw failure("a control character is not allowed in XML")
    case 0xEF where isNext("\u{FFFE}") || isNext("\u{FFFF}"): throw failure("U+FFFE and U+FFFF are not allowed in XML")
    case let byte: result.append(byte)
    }
    offset += 1
  }

  private mutating func reference() throws(SnapshotError) -> Unicode.Scalar {
    let start = offset
    if skip("&amp;") { return "&" }
    if skip("&lt;") { return "<" }
    if skip("&gt;") { return ">" }
    if skip("&quot;") { return "\"" }
    if skip("&apos;") { return "'" }
    if skip("&#") {
      let radix = skip("x") ? 16 : 10
      let digits = bytes[offset...].prefix(8).prefix { $0 != UInt8(ascii: ";") }
      offset += digits.count
      if skip(";"), digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
        let value = UInt32(String(decoding: digits, as: UTF8.self), radix: radix), let scalar = Unicode.Scalar(value),
        value >= 0x20 || value == 0x09 || value == 0x0A || value == 0x0D, value & 0xFFFE != 0xFFFE || value > 0xFFFF
      {
        return scalar
      }
    }
    throw failure("unknown entity or impossible character reference", at: start)
  }
}
