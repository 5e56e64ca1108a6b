/// A position in the text of an XML property list, and the part of XML that such lists use.
///
/// That part is: elements without attributes, text, CDATA, comments, the five named entities and character references.
/// A document type with its own declarations is refused, so there are no other entities. Nothing can expand.
struct XMLScanner {
  /// All bytes of the file. They are valid while the reader lends them.
  let bytes: UnsafeBufferPointer<UInt8>
  let source: SourceText
  var offset: Int
  var keys = KeyCache()

  init(_ bytes: UnsafeBufferPointer<UInt8>, of source: SourceText) {
    self.bytes = bytes
    self.source = source
    offset = bytes.starts(with: ByteText.byteOrderMark) ? 3 : 0
  }

  /// A scanner of the same text at another place, for another thread.
  func copy(at offset: Int) -> XMLScanner {
    var copy = self
    copy.offset = offset
    copy.keys = KeyCache()
    return copy
  }

  func failure(_ message: String, at place: Int? = nil, _ code: SnapshotError.Code = .malformed) -> SnapshotError {
    SnapshotError(code, message, position: source.position(place ?? offset))
  }

  var isAtEnd: Bool { offset >= bytes.count }

  @inline(__always)
  func isNext(_ text: StaticString) -> Bool { ByteText.isNext(text, bytes, at: offset) }

  mutating func skip(_ text: StaticString) -> Bool {
    guard isNext(text) else { return false }
    offset += text.utf8CodeUnitCount
    return true
  }

  mutating func skipWhitespace() {
    while offset < bytes.count, ByteText.isWhitespace(bytes[offset]) { offset += 1 }
  }

  /// Skips white space and comments.
  mutating func skipFiller() throws(SnapshotError) {
    skipWhitespace()
    while try skipComment() { skipWhitespace() }
  }

  private mutating func skipComment() throws(SnapshotError) -> Bool {
    let start = offset
    guard skip("<!--") else { return false }
    try skipPast("-->", orFail: "the comment is not closed", at: start)
    return true
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

  /// Reads everything after the root value.
  mutating func epilogue() throws(SnapshotError) {
    try skipFiller()
    try closeTag("plist")
    try skipFiller()
    if !isAtEnd { throw failure("nothing may follow </plist>") }
  }

  private mutating func declaration() throws(SnapshotError) {
    let start = offset
    try skipPast("?>", orFail: "the XML declaration is not closed", at: start)
    let text = String(decoding: bytes[start..<offset - 2], as: UTF8.self).lowercased().replacing("'", with: "\"")
    // White space may stand around the signs.
    let parts = text.split(separator: "=", omittingEmptySubsequences: false)
    let joined = parts.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }.joined(separator: "=")
    var words = joined.split(separator: " ")[...]
    func skip(_ allowed: String...) -> Bool {
      guard let word = words.first, allowed.contains(String(word)) else { return false }
      words.removeFirst()
      return true
    }
    let isVersion = skip("<?xml") && skip("version=\"1.0\"")
    _ = skip("encoding=\"utf-8\"", "encoding=\"us-ascii\"")
    _ = skip("standalone=\"yes\"", "standalone=\"no\"")
    guard isVersion, words.isEmpty else {
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

  /// The elements of property lists.
  enum Element {
    case array, dict, key, string, integer, real, date, data, `true`, `false`
    case other
  }

  /// A start tag that has been read.
  struct Tag {
    let element: Element
    let isEmpty: Bool
    let offset: Int
    /// The end of the name. The name begins behind the `<`.
    fileprivate let nameEnd: Int
  }

  /// Reads a start tag. Returns nil, and stays in place, if the next thing is none.
  mutating func openTag() throws(SnapshotError) -> Tag? {
    try skipFiller()
    let start = offset
    guard isNext("<"), !isNext("</") else { return nil }
    offset += 1
    skipName()
    let nameEnd = offset
    skipWhitespace()
    let isEmpty = skip("/")
    guard nameEnd > start + 1, skip(">") else { throw failure("expected the tag of a property list", at: start) }
    return Tag(element: element(start + 1..<nameEnd), isEmpty: isEmpty, offset: start, nameEnd: nameEnd)
  }

  /// The name of an element as it is written.
  func name(of tag: Tag) -> String { String(decoding: bytes[tag.offset + 1..<tag.nameEnd], as: UTF8.self) }

  private mutating func skipName() {
    while offset < bytes.count, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[offset] | 0x20) { offset += 1 }
  }

  private func element(_ name: Range<Int>) -> Element {
    func isNamed(_ text: StaticString) -> Bool { ByteText.isNext(text, bytes, at: name.lowerBound) }
    switch (name.count, bytes[name.lowerBound]) {
    case (3, UInt8(ascii: "k")) where isNamed("key"): return .key
    case (6, UInt8(ascii: "s")) where isNamed("string"): return .string
    case (4, UInt8(ascii: "d")) where isNamed("date"): return .date
    case (4, UInt8(ascii: "d")) where isNamed("dict"): return .dict
    case (4, UInt8(ascii: "d")) where isNamed("data"): return .data
    case (5, UInt8(ascii: "a")) where isNamed("array"): return .array
    case (7, UInt8(ascii: "i")) where isNamed("integer"): return .integer
    case (4, UInt8(ascii: "r")) where isNamed("real"): return .real
    case (4, UInt8(ascii: "t")) where isNamed("true"): return .true
    case (5, UInt8(ascii: "f")) where isNamed("false"): return .false
    default: return .other
    }
  }

  mutating func closeTag(_ name: StaticString) throws(SnapshotError) {
    let start = offset
    guard skip("</"), skip(name), closeTagEnds() else { throw failure("expected </\(name)>", at: start) }
  }

  /// Skips the end tag of an element.
  private mutating func closeTag(of tag: Tag) throws(SnapshotError) {
    let (start, length) = (offset, tag.nameEnd - tag.offset - 1)
    guard skip("</"), length <= bytes.count - offset, let base = bytes.baseAddress,
      ByteText.equal(base + offset, base + tag.offset + 1, length)
    else { throw failure("expected </\(name(of: tag))>", at: start) }
    offset += length
    guard closeTagEnds() else { throw failure("expected </\(name(of: tag))>", at: start) }
  }

  private mutating func closeTagEnds() -> Bool {
    if skip(">") { return true }
    skipWhitespace()
    return skip(">")
  }

  // MARK: Text

  /// Reads the text of an element that holds only text, and its end tag.
  mutating func text(of tag: Tag) throws(SnapshotError) -> String {
    if tag.isEmpty { return "" }
    let start = offset
    offset = ByteText.endOfPlainXML(bytes, from: start)
    guard isNext("</") else {
      offset = start
      return try generalText(of: tag)
    }
    let content = UnsafeBufferPointer(rebasing: bytes[start..<offset])
    try closeTag(of: tag)
    return tag.element == .key ? keys.text(of: content) : String(checkedUTF8: content)
  }

  /// Reads any text, with references and CDATA sections.
  private mutating func generalText(of tag: Tag) throws(SnapshotError) -> String {
    var result: [UInt8] = []
    while offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: "<"):
        if skip("<![CDATA[") {
          try characterData(into: &result)
          continue
        }
        if try skipComment() { continue }
        try closeTag(of: tag)
        return String(decoding: result, as: UTF8.self)
      case UInt8(ascii: "&"): result.append(contentsOf: String(try reference()).utf8)
      default: try characters(into: &result)
      }
    }
    throw failure("<\(name(of: tag))> is not closed", at: tag.offset)
  }

  private mutating func characterData(into result: inout [UInt8]) throws(SnapshotError) {
    let start = offset
    while !isNext("]]>") {
      if isAtEnd { throw failure("the CDATA section is not closed", at: start) }
      try character(into: &result)
    }
    offset += 3
  }

  /// Copies text up to the next special character. Copies that character too if it is not markup.
  private mutating func characters(into result: inout [UInt8]) throws(SnapshotError) {
    let end = ByteText.endOfPlainXML(bytes, from: offset)
    guard end > offset else { return try character(into: &result) }
    result += bytes[offset..<end]
    offset = end
  }

  /// Copies one byte of text. Line ends become line feeds, as section 2.11 of XML 1.0 requires.
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
