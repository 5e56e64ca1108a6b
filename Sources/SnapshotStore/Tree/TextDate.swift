package import SnapshotFoundation

/// Dates as ISO 8601 text in UTC, exact to the last bit: `2026-11-21T15:30:00.25Z`.
///
/// Any `Date` in the years 1 to 9999 has a text, and reading the text gives the same `Date`. `ISO8601FormatStyle`
/// writes at most three digits of a fraction.
///
/// A date is a `Double` of seconds since 2001-01-01 00:00:00 UTC. Its shortest decimal form is split into whole seconds
/// and a fraction. The seconds are shown in the proleptic Gregorian calendar. The fraction has as many digits as that
/// form. Reading does the reverse in decimal. It converts once, correctly rounded.
package enum TextDate {
  /// The text of a date: whole seconds, or as many digits of a fraction as identify the date. O(1).
  ///
  /// - Returns: nil for a date without a text. It is not finite, lies outside the years 1 to 9999, or is negative zero
  ///   seconds.
  package static func text(of date: Date) -> String? { fastText(date.timeIntervalSinceReferenceDate) }

  /// Reads `yyyy-MM-ddTHH:mm:ss`, an optional fraction, and `Z` or an offset such as `+02:00`. O(length).
  ///
  /// - Returns: nil for any other text, and for a day that the calendar does not have.
  package static func date(from text: some StringProtocol) -> Date? {
    seconds(of: String(text)).map { Date(timeIntervalSinceReferenceDate: $0) }
  }

  /// The text of a date. Nil if it has none: not finite, outside the years 1 to 9999, or negative zero.
  static func text(_ seconds: Double) -> String? {
    guard seconds.isFinite, !(seconds == 0 && seconds.sign == .minus) else { return nil }
    guard let (whole, fraction) = split(seconds), secondRange.contains(whole) else { return nil }
    let day = whole.flooredQuotient(by: 86_400)
    let second = whole - day * 86_400
    let (year, month, dayOfMonth) = civil(fromShiftedDay: day + shiftedDay2001)
    let date = "\(pad(year, 4))-\(pad(month, 2))-\(pad(dayOfMonth, 2))"
    let time = "\(pad(second / 3600, 2)):\(pad(second / 60 % 60, 2)):\(pad(second % 60, 2))"
    return fraction.isEmpty ? "\(date)T\(time)Z" : "\(date)T\(time).\(fraction)Z"
  }

  /// Reads `yyyy-MM-ddTHH:mm:ss`, an optional fraction, and `Z` or an offset such as `+02:00`. Nil for any other text
  /// and for impossible days.
  static func seconds(_ text: some StringProtocol) -> Double? {
    var scanner = DigitScanner(text.utf8)
    guard let year = scanner.number(4), scanner.skip("-"), let month = scanner.number(2), scanner.skip("-"),
      let day = scanner.number(2), scanner.skip("T"), let hour = scanner.number(2), scanner.skip(":"),
      let minute = scanner.number(2), scanner.skip(":"), let second = scanner.number(2),
      year >= 1, (1...12).contains(month), day >= 1, day <= daysInMonth(month, year),
      hour < 24, minute < 60, second < 60
    else { return nil }
    guard let fraction = scanner.fraction(), let zone = scanner.zone(), scanner.isAtEnd else { return nil }
    let days = shiftedDay(year, month, day) - shiftedDay2001
    return join(days * 86_400 + hour * 3600 + minute * 60 + second - zone, fraction)
  }

  /// Whether a date lies in the years 1 to 9999. Every reader of dates can hold such a date.
  static func isInCalendar(_ seconds: Double) -> Bool {
    seconds >= Double(secondRange.lowerBound) && seconds < Double(secondRange.upperBound + 1)
  }

  /// 0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z.
  static let secondRange = -63_113_904_000...252_423_993_599
  /// Days from 0000-03-01 to 2001-01-01.
  static let shiftedDay2001 = 730_791

  private static func pad(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

// MARK: - Decimal arithmetic

extension TextDate {
  /// Rounds seconds down and returns the rest as decimal digits, without trailing zeros.
  private static func split(_ seconds: Double) -> (whole: Int, fraction: String)? {
    guard abs(seconds) < 1e15 else { return nil }
    let (integer, fraction) = decimalParts(seconds.magnitude)
    guard seconds < 0 else { return (integer, fraction) }
    return fraction.isEmpty ? (-integer, "") : (-integer - 1, complement(fraction))
  }

  private static func join(_ whole: Int, _ fraction: String) -> Double? {
    if fraction.isEmpty { return Double(whole) }
    return whole >= 0 ? Double("\(whole).\(fraction)") : Double("-\(-whole - 1).\(complement(fraction))")
  }

  /// The digits before and after the point of the shortest decimal form. The number must be below 10^15.
  private static func decimalParts(_ magnitude: Double) -> (Int, String) {
    let parts = magnitude.description.split(separator: "e")
    let digits = parts[0].split(separator: ".")
    let fraction = digits.count > 1 && digits[1] != "0" ? String(digits[1]) : ""
    guard parts.count > 1, let exponent = Int(parts[1]) else { return (Int(digits[0]) ?? 0, fraction) }
    // Below 10^15 only small numbers have an exponent, and it is negative.
    return (0, String(repeating: "0", count: -exponent - 1) + digits[0] + fraction)
  }

  /// The digits of 1 − 0.digits. The last digit is not zero.
  private static func complement(_ digits: String) -> String {
    let last = digits.utf8.count - 1
    let result = digits.utf8.enumerated().map { index, digit in
      Unicode.Scalar((index == last ? 10 : 9) - (digit - 48) + 48)
    }
    return String(String.UnicodeScalarView(result))
  }
}

// MARK: - Calendar

extension TextDate {
  /// Days from 0000-03-01 to a day in the years 1 to 9999 of the proleptic Gregorian calendar. Source: Howard Hinnant,
  /// "chrono-Compatible Low-Level Date Algorithms".
  static func shiftedDay(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear
  }

  /// The inverse of `shiftedDay`, for days from 0000-03-01 to 9999-12-31. Source: C. Neri and L. Schneider, "Euclidean
  /// affine functions and their application to calendar algorithms", 2022. A product of 64 bits gives the year of the
  /// century and the day of the year together.
  static func civil(fromShiftedDay day: Int) -> (year: Int, month: Int, day: Int) {
    let quarters = 4 &* UInt32(truncatingIfNeeded: day) &+ 3
    let century = quarters / 146_097
    let product = 2_939_745 &* UInt64(quarters % 146_097 | 3)
    let yearOfCentury = UInt32(truncatingIfNeeded: product &>> 32)
    let dayOfYear = UInt32(truncatingIfNeeded: product) / 2_939_745 / 4
    let months = 2141 &* dayOfYear &+ 197_913
    let isNextYear = dayOfYear >= 306
    let month = (months &>> 16) &- (isNextYear ? 12 : 0)
    let year = 100 &* century &+ yearOfCentury &+ (isNextYear ? 1 : 0)
    return (Int(year), Int(month), Int((months & 0xFFFF) / 2141 &+ 1))
  }

  static func daysInMonth(_ month: Int, _ year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return month == 2 ? (isLeap ? 29 : 28) : month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31
  }
}

/// Reads the parts of a date from text.
private struct DigitScanner<Bytes: Collection<UInt8>> where Bytes.SubSequence: Collection<UInt8> {
  private var rest: Bytes.SubSequence

  init(_ bytes: Bytes) { rest = bytes[...] }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest = rest.dropFirst()
    return true
  }

  mutating func number(_ width: Int) -> Int? {
    let digits = rest.prefix(width)
    guard digits.count == width, digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
    rest = rest.dropFirst(width)
    return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
  }

  /// The digits after a point, without trailing zeros. Empty if there is no point; nil if no digit follows it.
  mutating func fraction() -> String? {
    guard skip(".") else { return "" }
    let digits = rest.prefix { (48...57).contains($0) }
    guard !digits.isEmpty else { return nil }
    rest = rest.dropFirst(digits.count)
    var text = String(decoding: Array(digits), as: UTF8.self)
    while text.utf8.last == 48 { text.removeLast() }
    return text
  }

  /// Seconds east of Greenwich.
  mutating func zone() -> Int? {
    if skip("Z") { return 0 }
    let sign = skip("+") ? 1 : skip("-") ? -1 : 0
    guard sign != 0, let hour = number(2), skip(":"), let minute = number(2), hour < 24, minute < 60 else { return nil }
    return sign * (hour * 3600 + minute * 60)
  }
}

extension Int {
  /// The quotient rounded towards negative infinity.
  fileprivate func flooredQuotient(by divisor: Int) -> Int {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
