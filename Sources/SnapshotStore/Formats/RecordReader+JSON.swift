/// Properties in JSON, exactly as `JSONText` writes them, but for the choice of escapes.
extension RecordReader {
  mutating func jsonSkip(_ byte: UInt8) -> Bool {
    guard offset < bytes.count, bytes[offset] == byte else { return false }
    offset += 1
    return true
  }

  /// Steps over `,` and a line feed, if another record follows.
  mutating func jsonPassSeparator() -> Bool {
    guard offset + 3 <= bytes.count, bytes[offset] == UInt8(ascii: ","), bytes[offset + 1] == 0x0A,
      bytes[offset + 2] == UInt8(ascii: "{")
    else { return false }
    offset += 2
    return true
  }

  /// Whether the next thing is a key, with the comma before it if there has to be one.
  func isNextJSON(_ key: StaticString) -> Bool {
    let start = isFirst ? offset : offset + 1
    let length = key.utf8CodeUnitCount
    // Something follows every property.
    guard start + length + 3 < bytes.count, isFirst || bytes[offset] == UInt8(ascii: ","),
      bytes[start] == UInt8(ascii: "\""), bytes[start + 1 + length] == UInt8(ascii: "\""),
      bytes[start + 2 + length] == UInt8(ascii: ":"), let base = bytes.baseAddress
    else { return false }
    return ByteText.equal(base + start + 1, key.utf8Start, length)
  }

  mutating func jsonKey(_ key: StaticString) throws(RecordMismatch) {
    guard isNextJSON(key) else { throw RecordMismatch() }
    offset += key.utf8CodeUnitCount + (isFirst ? 3 : 4)
    isFirst = false
  }

  mutating func jsonBool() throws(RecordMismatch) -> Bool {
    if jsonSkip("true") { return true }
    if jsonSkip("false") { return false }
    throw RecordMismatch()
  }

  private mutating func jsonSkip(_ word: StaticString) -> Bool {
    let length = word.utf8CodeUnitCount
    guard offset + length < bytes.count, let base = bytes.baseAddress,
      ByteText.equal(base + offset, word.utf8Start, length)
    else { return false }
    offset += length
    return true
  }

  /// An integer of up to eighteen digits, which no 64 bits are too few for.
  mutating func jsonInteger() throws(RecordMismatch) -> Int64 {
    let isNegative = jsonSkip(UInt8(ascii: "-"))
    let (magnitude, digits) = jsonDigits()
    guard digits > 0, digits <= 18, !isNegative || magnitude > 0, digits == 1 || magnitude >= Self.powers[digits - 1],
      offset < bytes.count, bytes[offset] == UInt8(ascii: ",") || bytes[offset] == UInt8(ascii: "}")
    else { throw RecordMismatch() }
    return isNegative ? -Int64(magnitude) : Int64(magnitude)
  }

  /// A number with a fraction of so few digits that one division gives it exactly.
  mutating func jsonNumber() throws(RecordMismatch) -> Double {
    let isNegative = jsonSkip(UInt8(ascii: "-"))
    let (integer, digits) = jsonDigits()
    guard digits > 0, digits <= 15, digits == 1 || integer >= Self.powers[digits - 1], jsonSkip(UInt8(ascii: "."))
    else { throw RecordMismatch() }
    let (fraction, fractionDigits) = jsonDigits()
    guard fractionDigits > 0, digits + fractionDigits <= 15, offset < bytes.count,
      bytes[offset] == UInt8(ascii: ",") || bytes[offset] == UInt8(ascii: "}")
    else { throw RecordMismatch() }
    let power = Self.powers[fractionDigits]
    // Both are below 2^53 and so exact; the quotient is rounded once.
    let number = Double(integer * power + fraction) / Double(power)
    return isNegative ? -number : number
  }

  private static let powers: [UInt64] = (0..<19).map { (0..<$0).reduce(1) { power, _ in power * 10 } }

  /// Up to nineteen digits, which may be more than are allowed, and their number.
  private mutating func jsonDigits() -> (value: UInt64, count: Int) {
    var value: UInt64 = 0
    let start = offset
    while offset < bytes.count, offset - start < 19 {
      let digit = bytes[offset] &- 0x30
      guard digit <= 9 else { break }
      value = value &* 10 &+ UInt64(digit)
      offset += 1
    }
    return (value, offset - start)
  }

  mutating func jsonText() throws(RecordMismatch) -> String {
    guard jsonSkip(UInt8(ascii: "\"")), let base = bytes.baseAddress else { throw RecordMismatch() }
    let (end, escapes) = ByteText.endOfJSONString(bytes, from: offset)
    guard let end else { throw RecordMismatch() }
    let content = UnsafeBufferPointer(start: base + offset, count: end - offset)
    let text = escapes ? JSONEscapes.unescaped(content) : String(decoding: content, as: UTF8.self)
    guard let text else { throw RecordMismatch() }
    offset = end + 1
    return text
  }

  /// The seconds of a date that stands as text.
  mutating func jsonDate() throws(RecordMismatch) -> Double {
    guard jsonSkip(UInt8(ascii: "\"")), let base = bytes.baseAddress else { throw RecordMismatch() }
    var end = offset + 19
    while end < min(bytes.count, offset + 32), bytes[end] != UInt8(ascii: "\"") { end += 1 }
    guard end < bytes.count, bytes[end] == UInt8(ascii: "\""),
      let seconds = TextDate.seconds(fast: UnsafeBufferPointer(start: base + offset, count: end - offset))
    else { throw RecordMismatch() }
    offset = end + 1
    return seconds
  }

  mutating func jsonTexts() throws(RecordMismatch) -> [String] {
    guard jsonSkip(UInt8(ascii: "[")) else { throw RecordMismatch() }
    if jsonSkip(UInt8(ascii: "]")) { return [] }
    var texts = [try jsonText()]
    while jsonSkip(UInt8(ascii: ",")) { texts.append(try jsonText()) }
    guard jsonSkip(UInt8(ascii: "]")) else { throw RecordMismatch() }
    return texts
  }
}
