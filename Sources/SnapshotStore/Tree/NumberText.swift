/// Converts the text of a number. The caller has checked its grammar.
///
/// A real is a `Double` if it says no more than that: the `Double`, rounded to as many digits, is the same number. So
/// `65.613616999999977` is one, which C writes with `%.17g`. Any other number is kept as it is written, so that a file
/// without its types loses nothing.
enum NumberText {
  /// Decimal numbers with up to this many digits all have different `Double` values, unless they are near zero.
  static let exactDigits = 15

  /// The content of a number; nil if its exponent has more than 17 digits.
  static func content(_ text: String, isInteger: Bool) -> Item.Content? {
    if isInteger {
      // An integer has no negative zero. So this is a number that another tool wrote without its fraction.
      if text == "-0" { return .real(-0.0) }
      if let integer = Int64(text) { return .integer(integer) }
      if let integer = UInt64(text) { return .unsigned(integer) }
    } else if let number = double(text) {
      return .real(number)
    }
    return DecimalDigits(text).map { _ in .decimal(json(text, isInteger: isInteger)) }
  }

  /// The `Double` that says as much as a text; nil if there is none.
  static func double(_ text: String) -> Double? {
    guard let number = Double(text) else { return nil }
    let count = digitCount(text)
    if number == 0, count == 0 { return number }
    if number.isNormal, count <= exactDigits || number.description == text { return number }
    guard let value = DecimalDigits(text) else { return nil }
    return DecimalDigits(number, digits: value.digits.count) == value ? number : nil
  }

  /// The number of digits without zeros at both ends.
  static func digitCount(_ text: String) -> Int {
    var count = 0
    var zeros = 0
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "e"), UInt8(ascii: "E"): return count
      case UInt8(ascii: "0"): zeros += count > 0 ? 1 : 0
      case UInt8(ascii: "1")...UInt8(ascii: "9"):
        count += zeros + 1
        zeros = 0
      default: break
      }
    }
    return count
  }

  /// The `Double` that says as much as an integer; nil if there is none.
  static func double(_ integer: some FixedWidthInteger) -> Double? {
    let number = Double(integer)
    return number.magnitude <= 0x1p52 ? number : double("\(integer)")
  }

  /// The content of an integer of a property list, which may be hexadecimal; nil if the text is none.
  static func integer(_ text: String) -> Item.Content? {
    if let digits = hexDigits(text) {
      let sign = text.hasPrefix("-") ? "-" : ""
      if let integer = Int64(sign + digits, radix: 16) { return .integer(integer) }
      return sign.isEmpty ? UInt64(digits, radix: 16).map(Item.Content.unsigned) : nil
    }
    guard isDecimal(text, isInteger: true) else { return nil }
    let content = content(text, isInteger: true)
    // It says of itself that it is an integer.
    if case .real(0) = content { return .integer(0) }
    return content
  }

  /// The digits of `0x1F`, with or without a sign; nil for any other text.
  private static func hexDigits(_ text: String) -> Substring? {
    let unsigned = text.first == "-" || text.first == "+" ? text.dropFirst() : text[...]
    guard unsigned.hasPrefix("0x") || unsigned.hasPrefix("0X"),
      unsigned.dropFirst(2).allSatisfy({ $0.isASCII && $0.isHexDigit })
    else {
      return nil
    }
    return unsigned.dropFirst(2)
  }

  /// A text of XML as JSON spells the number. A real of up to 64 bits without a fraction gets one, which tells it from
  /// an integer.
  private static func json(_ text: String, isInteger: Bool) -> String {
    let parts = text.split(maxSplits: 1) { $0 == "e" || $0 == "E" }
    let mantissa = (parts.first ?? "").split(separator: ".", omittingEmptySubsequences: false)
    let whole = (mantissa.first ?? "").drop { $0 == "+" || $0 == "-" }.drop { $0 == "0" }
    let sign = text.first == "-" ? "-" : ""
    var fraction = mantissa.count > 1 && !mantissa[1].isEmpty ? "." + mantissa[1] : ""
    let exponent = parts.count > 1 ? "e" + parts[1] : ""
    let start = sign + (whole.isEmpty ? "0" : whole)
    if !isInteger, fraction.isEmpty, exponent.isEmpty, Int64(start) != nil || UInt64(start) != nil { fraction = ".0" }
    return start + fraction + exponent
  }

  /// Whether a text is a decimal number. A sign, a fraction and an exponent are optional. Only ASCII digits count.
  static func isDecimal(_ text: String, isInteger: Bool) -> Bool {
    var rest = text.utf8[...]
    func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    func skipSign() { if rest.first == 0x2B || rest.first == 0x2D { rest = rest.dropFirst() } }
    func skipDigits() -> Int {
      let digits = rest.prefix(while: isDigit).count
      rest = rest.dropFirst(digits)
      return digits
    }
    skipSign()
    var digits = skipDigits()
    if !isInteger {
      if rest.first == UInt8(ascii: ".") {
        rest = rest.dropFirst()
        digits += skipDigits()
      }
      if digits > 0, rest.first.map({ $0 | 0x20 }) == UInt8(ascii: "e") {
        rest = rest.dropFirst()
        skipSign()
        if skipDigits() == 0 { return false }
      }
    }
    return digits > 0 && rest.isEmpty
  }
}
