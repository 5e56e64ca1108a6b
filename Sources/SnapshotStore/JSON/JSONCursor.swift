/// A position for direct reading of records in JSON.
struct JSONCursor {
  var place: ByteCursor
}

/// Properties in JSON, exactly as `JSONText` writes them. Other escapes of the same text are accepted too.
extension ByteCursor {
  /// Skips `,` and, unless all records are on one line, a line feed. Returns false if no other record follows.
  mutating func jsonPassSeparator() -> Bool {
    if isOneLine {
      guard ByteText.isNext(",{", bytes, at: offset) else { return false }
      offset += 1
      return true
    }
    guard offset + 3 <= bytes.count, bytes[offset] == UInt8(ascii: ","), bytes[offset + 1] == 0x0A,
      bytes[offset + 2] == UInt8(ascii: "{")
    else { return false }
    offset += 2
    return true
  }

  /// Whether a key is next, after a comma if the key is not the first.
  private func isNextJSON(_ key: StaticString) -> Bool {
    let start = isFirst ? offset : offset + 1
    let length = key.utf8CodeUnitCount
    // Something follows every property.
    guard start + length + 3 < bytes.count, isFirst || bytes[offset] == UInt8(ascii: ","),
      bytes[start] == UInt8(ascii: "\""), bytes[start + 1 + length] == UInt8(ascii: "\""),
      bytes[start + 2 + length] == UInt8(ascii: ":"), let base = bytes.baseAddress
    else { return false }
    return ByteText.equal(base + start + 1, key.utf8Start, length)
  }

  /// Skips a key if it is next.
  mutating func jsonPassIfNext(_ key: StaticString) -> Bool {
    guard isNextJSON(key) else { return false }
    offset += key.utf8CodeUnitCount + (isFirst ? 3 : 4)
    isFirst = false
    return true
  }

  mutating func jsonBool() throws(NeedsFallback) -> Bool {
    if skip("true") { return true }
    if skip("false") { return false }
    throw NeedsFallback()
  }

  mutating func jsonInteger() throws(NeedsFallback) -> Int64 {
    guard let value = decimalInteger(), isAtEndOfNumber else { throw NeedsFallback() }
    return value
  }

  mutating func jsonNumber() throws(NeedsFallback) -> Double {
    guard let value = decimalNumber(), isAtEndOfNumber else { throw NeedsFallback() }
    return value
  }

  private var isAtEndOfNumber: Bool {
    offset < bytes.count && (bytes[offset] == UInt8(ascii: ",") || bytes[offset] == UInt8(ascii: "}"))
  }

  mutating func jsonText() throws(NeedsFallback) -> String {
    guard skip(UInt8(ascii: "\"")), let base = bytes.baseAddress else { throw NeedsFallback() }
    let (end, escapes) = ByteText.endOfJSONString(bytes, from: offset)
    guard let end else { throw NeedsFallback() }
    let content = UnsafeBufferPointer(start: base + offset, count: end - offset)
    let text = escapes ? JSONEscapes.unescaped(content) : String(checkedUTF8: content)
    guard let text, text.utf8.count <= textSize else { throw NeedsFallback() }
    offset = end + 1
    return text
  }

  /// The seconds of a date that is written as text.
  mutating func jsonDate() throws(NeedsFallback) -> Double {
    guard skip(UInt8(ascii: "\"")), let base = bytes.baseAddress else { throw NeedsFallback() }
    var end = offset + 19
    while end < min(bytes.count, offset + 32), bytes[end] != UInt8(ascii: "\"") { end += 1 }
    guard end < bytes.count, bytes[end] == UInt8(ascii: "\""),
      let seconds = TextDate.seconds(fast: UnsafeBufferPointer(start: base + offset, count: end - offset))
    else { throw NeedsFallback() }
    offset = end + 1
    return seconds
  }

  mutating func jsonTexts() throws(NeedsFallback) -> [String] {
    guard skip(UInt8(ascii: "[")) else { throw NeedsFallback() }
    if skip(UInt8(ascii: "]")) { return [] }
    var texts = [try jsonText()]
    while skip(UInt8(ascii: ",")) { texts.append(try jsonText()) }
    guard skip(UInt8(ascii: "]")), texts.count <= elementCount else { throw NeedsFallback() }
    return texts
  }
}
