/// A position in JSON text, and the grammar of RFC 8259.
///
/// Nothing else is accepted: no trailing commas, comments, leading zeros, raw control characters, lone surrogates or
/// numbers out of range. The one exception is a byte order mark at the very start.
///
/// The bytes are known to be UTF-8. `depth` bounds the nesting. No count is believed before its bytes are seen.
struct JSONScanner {
  /// All bytes of the file. They are valid while the reader lends them.
  let bytes: UnsafeBufferPointer<UInt8>
  let source: SourceText
  let limits: ReadLimits
  var offset: Int
  var keys = KeyCache()

  init(_ bytes: UnsafeBufferPointer<UInt8>, of source: SourceText, limits: ReadLimits) {
    self.bytes = bytes
    self.source = source
    self.limits = limits
    offset = bytes.starts(with: ByteText.byteOrderMark) ? 3 : 0
  }

  /// A scanner of the same text at another place, for another thread.
  func copy(at offset: Int) -> JSONScanner {
    var copy = self
    copy.offset = offset
    copy.keys = KeyCache()
    return copy
  }

  func failure(_ message: String, at place: Int? = nil, _ code: SnapshotError.Code = .malformed) -> SnapshotError {
    SnapshotError(code, message, position: source.position(place ?? offset))
  }

  // MARK: Tokens

  mutating func skipWhitespace() {
    while offset < bytes.count, ByteText.isWhitespace(bytes[offset]) { offset += 1 }
  }

  /// The next byte that is not white space; it is not consumed. Nil at the end.
  mutating func peek() -> UInt8? {
    skipWhitespace()
    return offset < bytes.count ? bytes[offset] : nil
  }

  /// Skips white space, and then a byte if it is next.
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  mutating func expect(_ character: Unicode.Scalar) throws(SnapshotError) {
    guard skip(character) else { throw failure("expected “\(character)”, found \(found())") }
  }

  mutating func expectEnd() throws(SnapshotError) {
    guard peek() == nil else { throw failure("expected the end of the file, found \(found())") }
  }

  /// The text at the position, for messages.
  func found() -> String {
    guard offset < bytes.count else { return "the end of the file" }
    let next = String(decoding: bytes[offset..<min(bytes.count, offset + 4)], as: UTF8.self).unicodeScalars.first
    guard let next, !next.isASCII else { return String(next.map(String.init) ?? "").quotedForMessage() }
    return "the character U+\(String(next.value, radix: 16, uppercase: true))"
  }

  // MARK: Values

  /// Reads the value at the position. `depth` is its nesting level in the document; the top is 1.
  mutating func value(depth: Int) throws(SnapshotError) -> Item {
    guard let byte = peek() else { throw failure("expected a value, found the end of the file") }
    let start = offset
    switch byte {
    case UInt8(ascii: "{"):
      var members: [Item.Member] = []
      try object(depth: depth) { scanner, key, keyOffset throws(SnapshotError) in
        try scanner.refuseCount(members.count, at: keyOffset)
        members.append(Item.Member(key: key, value: try scanner.value(depth: depth + 1), keyOffset: keyOffset))
        return .goOn
      }
      try refuseDuplicates(members)
      return Item(.dictionary(members), offset: start)
    case UInt8(ascii: "["):
      var items: [Item] = []
      try array(depth: depth) { scanner throws(SnapshotError) in
        try scanner.refuseCount(items.count, at: scanner.offset)
        items.append(try scanner.value(depth: depth + 1))
      }
      return Item(.array(items), offset: start)
    case UInt8(ascii: "\""): return Item(try text(), offset: start)
    case UInt8(ascii: "t"): return Item(try word("true", .bool(true)), offset: start)
    case UInt8(ascii: "f"): return Item(try word("false", .bool(false)), offset: start)
    case UInt8(ascii: "n"): return Item(try word("null", .null), offset: start)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: throw failure("expected a value, found \(found())")
    }
  }

  /// Reads an object. `member` reads the value after each key, and may stop before the end.
  mutating func object(
    depth: Int,
    _ member: (inout JSONScanner, String, Int) throws(SnapshotError) -> Walk
  ) throws(SnapshotError) {
    try refuseDepth(depth)
    try expect("{")
    if skip("}") { return }
    repeat {
      if peek() == UInt8(ascii: "}") { throw failure("the comma before this “}” is one too many") }
      guard peek() == UInt8(ascii: "\"") else { throw failure("expected a key in quotation marks, found \(found())") }
      let keyOffset = offset
      let key = try self.key()
      try expect(":")
      if try member(&self, key, keyOffset) == .stop { return }
    } while skip(",")
    guard skip("}") else { throw failure("expected “,” or “}”, found \(found())") }
  }

  /// Reads an array. `element` reads each element.
  mutating func array(
    depth: Int, _ element: (inout JSONScanner) throws(SnapshotError) -> Void
  ) throws(SnapshotError) {
    try enterArray(depth: depth)
    if skip("]") { return }
    repeat {
      try refuseEndAfterComma()
      try element(&self)
    } while skip(",")
    try leaveArray()
  }

  mutating func enterArray(depth: Int) throws(SnapshotError) {
    try refuseDepth(depth)
    try expect("[")
  }

  mutating func refuseEndAfterComma() throws(SnapshotError) {
    if peek() == UInt8(ascii: "]") { throw failure("the comma before this “]” is one too many") }
  }

  mutating func leaveArray() throws(SnapshotError) {
    guard skip("]") else { throw failure("expected “,” or “]”, found \(found())") }
  }

  private func refuseDepth(_ depth: Int) throws(SnapshotError) {
    if depth > limits.depth { throw failure("nested deeper than \(limits.depth.counted("level"))", .limitExceeded) }
  }

  /// Refuses an element beyond the limit.
  private func refuseCount(_ count: Int, at place: Int) throws(SnapshotError) {
    if count >= limits.elementCount { throw failure(limits.countMessage, at: place, .limitExceeded) }
  }

  private func failure(_ message: String, _ code: SnapshotError.Code) -> SnapshotError {
    failure(message, at: nil, code)
  }

  private mutating func refuseDuplicates(_ members: [Item.Member]) throws(SnapshotError) {
    guard let member = keys.duplicate(in: members) else { return }
    throw failure("the key \(member.key.text.quotedForMessage()) occurs twice", at: member.keyOffset, .duplicate)
  }

  private mutating func word(_ word: String, _ content: Item.Content) throws(SnapshotError) -> Item.Content {
    guard bytes[offset...].starts(with: word.utf8) else { throw failure("expected a value, found \(found())") }
    offset += word.utf8.count
    return content
  }
}
