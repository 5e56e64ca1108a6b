import Foundation

/// Numbers as SQL that every version of SQLite reads exactly.
///
/// SQLite reads a decimal number by one multiplication or division in its widest type. For one number in ten thousand,
/// that gives a neighbour of the nearest `Double`. So a number that may go wrong is written as an integer and powers of
/// two, which lose nothing: `3602879701896397/36028797018963968.0` for 0.1.
enum SQLiteReal {
  /// - Parameter number: a number that is not NaN.
  static func literal(_ number: Double) -> String {
    if number.isInfinite { return number < 0 ? "-9e999" : "9e999" }
    if number == 0 { return number.sign == .minus ? "-0.0" : "0.0" }
    if number == number.rounded(), number.magnitude < 1e15 { return "\(Int64(number)).0" }
    let decimal = number.description
    return isRead(decimal) ? decimal : product(number)
  }

  /// Whether a decimal has so few digits that one division by a power of ten is exact enough. At most 15 digits, four
  /// of them behind the point, are few. The proof is in decision 0062.
  private static func isRead(_ decimal: String) -> Bool {
    var (digits, fraction, isInFraction) = (0, 0, false)
    for byte in decimal.utf8 {
      switch byte {
      case UInt8(ascii: "-"): continue
      case UInt8(ascii: "."): isInFraction = true
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        digits += 1
        if isInFraction { fraction += 1 }
      default: return false
      }
    }
    return digits <= 15 && fraction <= 4
  }

  /// The number as its significand, an integer, and powers of two.
  private static func product(_ number: Double) -> String {
    var significand = number.magnitude
    var exponent = 0
    // All steps are exact: they change only the exponent, or remove zero bits.
    let shift = 52 - Int(number.exponent)
    significand = Double(sign: .plus, exponent: shift, significand: significand)
    exponent = -shift
    var integer = Int64(significand)
    let zeros = integer.trailingZeroBitCount
    integer >>= Int64(zeros)
    exponent += zeros
    var text = (number < 0 ? "-" : "") + "\(integer)"
    // 2^56 is the largest power that SQLite reads exactly.
    var left = abs(exponent)
    while left > 0 {
      let step = min(left, 56)
      text += (exponent < 0 ? "/" : "*") + "\(Int64(1) << Int64(step)).0"
      left -= step
    }
    // Without a power of two, it would be an integer.
    return exponent == 0 ? text + ".0" : text
  }
}
