/// Numbers of any size, compared without rounding.
extension UntypedValue {
  /// Whether a number is less than another one, by the exact values of both; nil if one is no number, or NaN.
  ///
  /// 9007199254740993 is not 9007199254740992.0, and 0.1234567890123456789 is more than the `Double` next to it.
  /// O(digits).
  public static func isLess(_ a: UntypedValue, than b: UntypedValue) -> Bool? {
    switch (a.item.content, b.item.content) {
    case (.integer(let a), .integer(let b)): return a < b
    case (.real(let a), .real(let b)): return a.isNaN || b.isNaN ? nil : a < b
    case (.integer(let a), .real(let b)): return isLess(a, than: b)
    case (.real(let a), .integer(let b)): return isLess(b, than: a).map { !$0 && Double(exactly: b) != a }
    case (.real(let a), _) where !a.isFinite: return b.digits == nil || a.isNaN ? nil : a < 0
    case (_, .real(let b)) where !b.isFinite: return a.digits == nil || b.isNaN ? nil : b > 0
    default: return a.digits.flatMap { a in b.digits.map { a < $0 } }
    }
  }

  /// Compares an integer with a `Double` without rounding: first with its whole part, then with its fraction.
  private static func isLess(_ a: Int64, than b: Double) -> Bool? {
    if b.isNaN { return nil }
    let whole = b.rounded(.towardZero)
    guard let integer = Int64(exactly: whole) else { return b > 0 }
    return a != integer ? a < integer : b > whole
  }

  /// The exact value; nil if it is no number, or not finite.
  private var digits: DecimalDigits? {
    switch item.content {
    case .integer(let integer): DecimalDigits("\(integer)")
    case .unsigned(let integer): DecimalDigits("\(integer)")
    case .real(let number): number.isFinite ? DecimalDigits(number) : nil
    case .decimal(let text): DecimalDigits(text)
    default: nil
    }
  }
}
