/// Numbers and strings.
extension JSONScanner {
  mutating func number() throws(SnapshotError) -> Item {
    let start = offset
    var isInteger = true
    if bytes[offset] == UInt8(ascii: "-") { offset += 1 }
    if byte == UInt8(ascii: "0") { offset += 1 } else { try digits() }
    if byte == UInt8(ascii: ".") {
      isInteger = false
      offset += 1
      try digits()
    }
    if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
      isInteger = false
      offset += 1
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { offset += 1 }
      try digits()
    }
    if let byte, (0x30...0x39).contains(byte) { throw failure("a number may not start with 0") }
    if isInteger, offset - start <= 18, let integer = smallInteger(start..<offset) {
      return Item(.integer(integer), offset: start)
    }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    if text.utf8.count > limits.textSize { throw failure(limits.textMessage("number"), at: start, .limitExceeded) }
    guard let content = NumberText.content(text, isInteger: isInteger) else {
      throw failure("the number \(text.quotedForMessage(limit: 30)) is out of range", at: start, .invalidValue)
    }
    var item = Item(content, offset: start)
    item.hasManyDigits = item.kind == .real && NumberText.digitCount(text) > NumberText.exactDigits
    return item
  }

  /// The value of an integer of up to 18 characters; nil for minus zero.
  private func smallInteger(_ range: Range<Int>) -> Int64? {
    let isNegative = bytes[range.lowerBound] == UInt8(ascii: "-")
    var value: Int64 = 0
    for index in range.dropFirst(isNegative ? 1 : 0) { value = value &* 10 &+ Int64(bytes[index] &- 0x30) }
    return isNegative ? (value == 0 ? nil : -value) : value
  }

  private var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func digits() throws(SnapshotError) {
    let start = offset
    while let byte, (0x30...0x39).contains(byte) { offset += 1 }
    if offset == start { throw failure("expected a digit, found \(found())") }
  }

  /// Reads a string as a value: a text, or the value for which it stands.
  mutating func text() throws(SnapshotError) -> Item.Content {
    // An escape at its beginning says that the string is only text.
    let first = offset + 1 < bytes.count ? bytes[offset + 1] : 0
    let text = try string()
    guard StandIn.mayBegin(with: first) else { return .string(text) }
    return StandIn.content(of: text, among: JSONFormat.standIns) ?? .string(text)
  }

  /// Reads the string whose opening quotation mark is at the position.
  mutating func string() throws(SnapshotError) -> String {
    let start = offset
    let text = try anyString()
    if text.utf8.count > limits.textSize { throw failure(limits.textMessage(), at: start, .limitExceeded) }
    return text
  }

  private mutating func anyString() throws(SnapshotError) -> String {
    let (end, hasEscapes) = ByteText.endOfJSONString(bytes, from: offset + 1)
    guard let end else { return try generalString() }
    let content = UnsafeBufferPointer(rebasing: bytes[offset + 1..<end])
    guard hasEscapes else {
      offset = end + 1
      return String(checkedUTF8: content)
    }
    guard let text = JSONEscapes.unescaped(content) else { return try generalString() }
    offset = end + 1
    return text
  }

  /// Reads a key. A long key that all records share becomes a `String` only once.
  mutating func key() throws(SnapshotError) -> String {
    let start = offset
    let (end, hasEscapes) = ByteText.endOfJSONString(bytes, from: offset + 1)
    guard let end, !hasEscapes, end - start <= limits.textSize else { return try string() }
    offset = end + 1
    return keys.text(of: UnsafeBufferPointer(rebasing: bytes[start + 1..<end]))
  }

  /// Reads any string, one character at a time.
  private mutating func generalString() throws(SnapshotError) -> String {
    let opening = offset
    offset += 1
    var start = offset
    var unescaped: [UInt8] = []
    while let byte {
      switch byte {
      case UInt8(ascii: "\""):
        let rest = bytes[start..<offset]
        offset += 1
        return unescaped.isEmpty
          ? String(decoding: rest, as: UTF8.self) : String(decoding: unescaped + rest, as: UTF8.self)
      case UInt8(ascii: "\\"):
        unescaped += bytes[start..<offset]
        unescaped.append(contentsOf: String(try escape()).utf8)
        start = offset
      case ..<0x20: throw failure("a control character in a string must be escaped")
      default: offset += 1
      }
    }
    throw failure("the string is not closed", at: opening)
  }

  /// Reads the escape whose backslash is at the position.
  private mutating func escape() throws(SnapshotError) -> Unicode.Scalar {
    let start = offset
    if let (value, length) = JSONEscapes.scalar(bytes, at: start), let scalar = Unicode.Scalar(value) {
      offset += length
      return scalar
    }
    guard offset + 1 < bytes.count else { throw failure("the escape is cut off", at: start) }
    guard bytes[offset + 1] == UInt8(ascii: "u") else { throw failure("unknown escape in a string", at: start) }
    offset += 2
    return try surrogatePair(start)
  }

  /// Reads two escapes that form one character.
  private mutating func surrogatePair(_ start: Int) throws(SnapshotError) -> Unicode.Scalar {
    let first = try hexDigits(start)
    if first < 0xDC00, bytes[offset...].starts(with: "\\u".utf8) {
      offset += 2
      let second = try hexDigits(start)
      if (0xDC00...0xDFFF).contains(second),
        let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
      {
        return scalar
      }
    }
    throw failure("half of a surrogate pair, which is no character", at: start)
  }

  private mutating func hexDigits(_ start: Int) throws(SnapshotError) -> UInt32 {
    let digits = bytes[offset..<min(bytes.count, offset + 4)]
    guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw failure("“\\u” must be followed by four hexadecimal digits", at: start) }
    offset += 4
    return value
  }
}
