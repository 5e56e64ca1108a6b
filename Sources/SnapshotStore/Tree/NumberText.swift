/// Converts the text of a number. The caller has checked its grammar.
enum NumberText {
  /// Decimal numbers with up to this many digits all have different `Double` values.
  private static let exactDigits = 15
  /// The most digits that are written for a `Double`.
  private static let writtenDigits = 17

  /// The content of a number; nil if it is out of range. An integer may have 64 bits. A number must not be beyond the
  /// largest `Double`, nor nearer to zero than the smallest.
  static func content(_ text: String, isInteger: Bool) -> Item.Content? {
    if isInteger {
      // An integer has no negative zero. So this is a number that another tool wrote without its fraction.
      if text == "-0" { return .real(-0.0) }
      if let integer = Int64(text) { return .integer(integer) }
      return UInt64(text).map(Item.Content.unsigned)
    }
    guard let number = Double(text), number.isFinite else { return nil }
    let digits = text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }.filter { (0x30...0x39).contains($0) }
      .drop { $0 == 0x30 }
    // A number too small for a `Double` is out of range.
    if number == 0, !digits.isEmpty { return nil }
    if digits.count <= Self.exactDigits { return .real(number) }
    return .rounded(number, keepsDigits: keepsDigits(text, number))
  }

  /// Whether writing the number gives the same digits as its text.
  private static func keepsDigits(_ text: String, _ number: Double) -> Bool {
    let written = number.description
    if written == text { return true }
    guard let value = DecimalDigits(text), value.digits.count <= Self.writtenDigits else { return false }
    return value == DecimalDigits(written)
  }
}

/// The value of a decimal number other than zero, without its sign. Equal for all spellings of a number.
private struct DecimalDigits: Equatable {
  /// The digits without zeros at both ends.
  private(set) var digits: [UInt8] = []
  /// The position of the decimal point, counted from the first digit.
  private let point: Int

  /// Nil if the exponent is too large to compute with.
  init?(_ text: String) {
    let parts = text.utf8.split(maxSplits: 1) { $0 | 0x20 == UInt8(ascii: "e") }
    guard let exponent = parts.count < 2 ? 0 : Int(Substring(parts[1])) else { return nil }
    var whole: Int?
    for byte in parts[0] {
      if byte == UInt8(ascii: ".") { whole = digits.count }
      if (0x30...0x39).contains(byte) { digits.append(byte) }
    }
    let zeros = digits.prefix { $0 == 0x30 }.count
    point = (whole ?? digits.count) - zeros + exponent
    digits.removeFirst(zeros)
    while digits.last == 0x30 { digits.removeLast() }
  }
}
