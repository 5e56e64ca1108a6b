/// Numbers in text, whose grammar has been checked.
enum NumberText {
  /// Every decimal number of so many digits is told from the others by its `Double`.
  private static let exactDigits = 15

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
    return digits.count > Self.exactDigits ? .rounded(number) : .real(number)
  }
}
