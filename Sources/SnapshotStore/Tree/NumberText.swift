/// Numbers in text, whose grammar has been checked.
enum NumberText {
  /// Every decimal number of so many digits is told from the others by its `Double`.
  private static let exactDigits = 15
  /// No `Double` is written with more.
  private static let writtenDigits = 17

  /// Nil if the number is out of range: above 64 bits, beyond the largest `Double`, or nearer to zero than the smallest.
  static func content(_ text: String, isInteger: Bool) -> Item.Content? {
    if isInteger {
      // An integer has no negative zero, so this is a number that some other tool wrote without its fraction.
      if text == "-0" { return .real(-0.0) }
      if let integer = Int64(text) { return .integer(integer) }
      return UInt64(text).map(Item.Content.unsigned)
    }
    guard let number = Double(text), number.isFinite else { return nil }
    let digits = text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }.filter { (0x30...0x39).contains($0) }
      .drop { $0 == 0x30 }
    // Too small for a `Double` is out of range as well.
    if number == 0, !digits.isEmpty { return nil }
    if digits.count <= Self.exactDigits { return .real(number) }
    return .rounded(number, keepsDigits: keepsDigits(text, number))
  }

  /// Whether what is written for a number says the same as its text.
  private static func keepsDigits(_ text: String, _ number: Double) -> Bool {
    let written = number.description
    if written == text { return true }
    guard let value = DecimalDigits(text), value.digits.count <= Self.writtenDigits else { return false }
    return value == DecimalDigits(written)
  }
}

/// What a decimal number other than zero is, however it is spelled, but for its sign.
private struct DecimalDigits: Equatable {
  /// Without zeros at either end.
  private(set) var digits: [UInt8] = []
  /// How far the point stands behind the first of them.
  private let point: Int

  /// Nil if the exponent is beyond all measure.
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
