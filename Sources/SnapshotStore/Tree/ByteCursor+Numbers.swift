/// Decimal numbers, in the form that both text formats share.
extension ByteCursor {
  /// An integer of up to eighteen digits, which always fits into 64 bits; nil for any other integer.
  mutating func decimalInteger() -> Int64? {
    let isNegative = skip(UInt8(ascii: "-"))
    let (magnitude, digits) = decimalDigits()
    guard digits > 0, digits <= 18, !isNegative || magnitude > 0, digits == 1 || magnitude >= Self.powers[digits - 1]
    else { return nil }
    return isNegative ? -Int64(magnitude) : Int64(magnitude)
  }

  /// A number with a fraction, if one division gives it exactly; nil for a fraction with too many digits.
  mutating func decimalNumber() -> Double? {
    let isNegative = skip(UInt8(ascii: "-"))
    let (integer, digits) = decimalDigits()
    guard digits > 0, digits <= 15, digits == 1 || integer >= Self.powers[digits - 1], skip(UInt8(ascii: "."))
    else { return nil }
    let (fraction, fractionDigits) = decimalDigits()
    guard fractionDigits > 0, digits + fractionDigits <= 15 else { return nil }
    let power = Self.powers[fractionDigits]
    // Both are below 2^53 and therefore exact. The quotient is rounded once.
    let number = Double(integer * power + fraction) / Double(power)
    return isNegative ? -number : number
  }

  private static let powers: [UInt64] = (0..<19).map { (0..<$0).reduce(1) { power, _ in power * 10 } }

  /// Reads up to nineteen digits, and their number. The caller checks that number.
  private mutating func decimalDigits() -> (value: UInt64, count: Int) {
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
}
