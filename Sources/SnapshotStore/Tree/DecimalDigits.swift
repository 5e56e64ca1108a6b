import SnapshotSystem

/// The exact value of a decimal number. All spellings of a number have the same digits, and numbers have an order.
struct DecimalDigits: Comparable, Sendable {
  /// No `Double` has more digits: the one after the smallest normal one has 767.
  private static let mostDigits = 767

  private let isNegative: Bool
  /// The position of the decimal point, counted from the first digit; 0 for zero.
  private let point: Int
  /// The digits without zeros at both ends; empty for zero.
  let digits: [UInt8]

  /// Reads a number as JSON or XML spells it. Nil if its exponent has more than 17 digits.
  init?(_ text: String) { self.init(text, wholeDigits: nil) }

  /// The exact value of a finite `Double`.
  init?(_ number: Double) { self.init(Self.scientific(number, Self.mostDigits), wholeDigits: 1) }

  /// A finite `Double`, rounded to a number of digits. Nil if no `Double` has so many.
  init?(_ number: Double, digits: Int) {
    guard number.isFinite, (1...Self.mostDigits).contains(digits) else { return nil }
    self.init(Self.scientific(number, digits), wholeDigits: 1)
  }

  /// - Parameter wholeDigits: the number of digits before the point, whatever character that is.
  private init?(_ text: String, wholeDigits: Int?) {
    let parts = text.utf8.split(maxSplits: 1) { $0 | 0x20 == UInt8(ascii: "e") }
    guard let mantissa = parts.first, let exponent = parts.count < 2 ? 0 : Int(Substring(parts[1])),
      exponent.magnitude < 100_000_000_000_000_000
    else { return nil }
    var digits: [UInt8] = []
    var whole: Int?
    for byte in mantissa {
      if byte == UInt8(ascii: ".") { whole = digits.count }
      if (0x30...0x39).contains(byte) { digits.append(byte) }
    }
    let zeros = digits.prefix { $0 == 0x30 }.count
    let significant = digits[zeros...].reversed().drop { $0 == 0x30 }.reversed()
    isNegative = mantissa.first == UInt8(ascii: "-")
    point = significant.isEmpty ? 0 : (wholeDigits ?? whole ?? digits.count) - zeros + exponent
    self.digits = Array(significant)
  }

  /// A number in the form `1.25e+02`. The point may be another character, because it depends on the locale.
  private static func scientific(_ number: Double, _ digits: Int) -> String {
    // The sign, the point, and an exponent of up to three digits.
    let length = digits + 9
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: length) { buffer in
      guard let base = buffer.baseAddress else { return "" }
      let count = withVaList([Int32(digits - 1), number]) { vsnprintf(base, length, "%.*e", $0) }
      return String(decoding: UnsafeRawBufferPointer(start: base, count: Int(count)), as: UTF8.self)
    }
  }

  static func < (a: DecimalDigits, b: DecimalDigits) -> Bool {
    if a.sign != b.sign { return a.sign < b.sign }
    let (small, large) = a.isNegative ? (b, a) : (a, b)
    return small.point != large.point
      ? small.point < large.point : small.digits.lexicographicallyPrecedes(large.digits)
  }

  private var sign: Int { digits.isEmpty ? 0 : isNegative ? -1 : 1 }

  static func == (a: DecimalDigits, b: DecimalDigits) -> Bool {
    a.sign == b.sign && a.point == b.point && a.digits == b.digits
  }
}
