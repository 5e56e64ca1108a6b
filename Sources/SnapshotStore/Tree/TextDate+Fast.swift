/// A fast path for text dates, without strings: whole seconds, and fractions of dates between some weeks and 272 years
/// from 2001. The general path handles all other dates and decides in doubt.
extension TextDate {
  /// Appends the text of a date. Returns false if the date has no text.
  static func append(_ seconds: Double, to sink: inout ByteSink) -> Bool {
    if let (whole, fraction, digits) = decimal(seconds), secondRange.contains(whole) {
      sink.advance(write(whole, fraction, digits, to: sink.reserve(maximalLength)))
      return true
    }
    guard let text = text(seconds) else { return false }
    sink.append(contentsOf: text)
    return true
  }

  /// The text of a date; nil if it has none.
  static func fastText(_ seconds: Double) -> String? {
    guard let (whole, fraction, digits) = decimal(seconds), secondRange.contains(whole) else { return text(seconds) }
    return String(unsafeUninitializedCapacity: maximalLength) { buffer in
      buffer.baseAddress.map { write(whole, fraction, digits, to: $0) } ?? 0
    }
  }

  /// An upper bound of the bytes in a text of this path.
  private static let maximalLength = 32

  /// Splits a date into whole seconds, rounded down, and the shortest decimal fraction that identifies the number.
  private static func decimal(_ seconds: Double) -> (whole: Int, fraction: UInt64, digits: Int)? {
    let magnitude = seconds.magnitude
    guard magnitude < 0x1p33 else {
      guard magnitude < 0x1p40, magnitude == magnitude.rounded(.down) else { return nil }
      return (Int(seconds), 0, 0)
    }
    let integer = Int(magnitude)
    if Double(integer) == magnitude {
      return seconds == 0 && seconds.sign == .minus ? nil : (seconds < 0 ? -integer : integer, 0, 0)
    }
    guard magnitude >= 0x1p22 else { return nil }
    // The bits below the point: 20 to 30 of them, so all results below fit into 64 bits.
    let bits = UInt64(52 - Int(magnitude.exponent))
    let below = (magnitude.bitPattern | 1 << 52) & (1 << bits - 1)
    let part = seconds < 0 ? 1 << bits - below : below
    let whole = seconds < 0 ? -integer - 1 : integer
    // If a fraction of n digits identifies the number, a fraction of more digits does too. Clocks tick in micro- or
    // nanoseconds, and `Double` has seven digits to spare in this century. So six digits are tried first.
    var digits = 6
    guard var found = nearest(part, bits, digits) else {
      while digits < 10 {
        digits += 1
        if let found = nearest(part, bits, digits) { return found.isTie ? nil : (whole, found.fraction, digits) }
      }
      return nil
    }
    while digits > 1, let shorter = nearest(part, bits, digits - 1) {
      digits -= 1
      found = shorter
    }
    return found.isTie ? nil : (whole, found.fraction, digits)
  }

  /// The decimal fraction with this many digits that is nearest to `part / 2^bits`. Nil if it does not identify the
  /// number. `isTie` is true if another fraction is equally near; the general path then chooses.
  @inline(__always)
  private static func nearest(_ part: UInt64, _ bits: UInt64, _ digits: Int) -> (fraction: UInt64, isTie: Bool)? {
    let power = powers[digits]
    let exact = part * power
    let half: UInt64 = 1 << (bits - 1)
    let fraction = (exact + half) >> bits
    let scaled = fraction << bits
    let distance = scaled > exact ? scaled - exact : exact - scaled
    // A fraction within half of the distance to the next number identifies it. `power` has fewer factors of two than
    // twice the distance, so the two are never equal.
    return 2 * distance < power ? (fraction, distance == half) : nil
  }

  private static let powers: [UInt64] = [
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
  ]

  /// Writes a text and returns its length.
  private static func write(
    _ whole: Int, _ fraction: UInt64, _ digits: Int, to place: UnsafeMutablePointer<UInt8>
  ) -> Int {
    // Days and seconds since 0000-03-01. They are not negative.
    let shifted = UInt64(whole + shiftedDay2001 * 86_400)
    let (day, second) = shifted.quotientAndRemainder(dividingBy: 86_400)
    let (year, month, dayOfMonth) = civil(fromShiftedDay: Int(day))
    put(UInt64(year), 4, place)
    place[4] = UInt8(ascii: "-")
    put(UInt64(month), 2, place + 5)
    place[7] = UInt8(ascii: "-")
    put(UInt64(dayOfMonth), 2, place + 8)
    place[10] = UInt8(ascii: "T")
    put(second / 3600, 2, place + 11)
    place[13] = UInt8(ascii: ":")
    put(second / 60 % 60, 2, place + 14)
    place[16] = UInt8(ascii: ":")
    put(second % 60, 2, place + 17)
    var length = 19
    if digits > 0 {
      place[19] = UInt8(ascii: ".")
      put(fraction, digits, place + 20)
      length = 20 + digits
    }
    place[length] = UInt8(ascii: "Z")
    return length + 1
  }

  /// Puts a number of a fixed width, two digits at a time.
  @inline(__always)
  private static func put(_ number: UInt64, _ width: Int, _ place: UnsafeMutablePointer<UInt8>) {
    var rest = number
    var index = width
    while index > 1 {
      index -= 2
      putPair(UInt32(truncatingIfNeeded: rest % 100), place + index)
      rest /= 100
    }
    if index > 0 { place.pointee = 0x30 &+ UInt8(truncatingIfNeeded: rest) }
  }

  /// Puts the two digits of a number below 100.
  @inline(__always)
  private static func putPair(_ number: UInt32, _ place: UnsafeMutablePointer<UInt8>) {
    // 103 / 1024 is near enough to 1 / 10.
    let tens = (number &* 103) &>> 10
    place[0] = UInt8(truncatingIfNeeded: 0x30 &+ tens)
    place[1] = UInt8(truncatingIfNeeded: 0x30 &+ number &- tens &* 10)
  }

  // MARK: Reading

  /// The seconds of a date in any form that is read; nil for any other text.
  static func seconds(of text: String) -> Double? {
    var text = text
    return text.withUTF8(seconds(fast:)) ?? seconds(text)
  }

  /// The seconds of a date in the one form in which `text` writes it; nil for any other text.
  static func seconds(canonical bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    guard bytes.count >= 20, bytes[bytes.count - 1] == UInt8(ascii: "Z"), bytes[4] == UInt8(ascii: "-"),
      let seconds = seconds(fast: bytes) ?? seconds(String(decoding: bytes, as: UTF8.self))
    else { return nil }
    // Whole seconds have one form.
    return bytes.count == 20 || isText(bytes, of: seconds) ? seconds : nil
  }

  private static func isText(_ bytes: UnsafeBufferPointer<UInt8>, of seconds: Double) -> Bool {
    guard let (whole, fraction, digits) = decimal(seconds), secondRange.contains(whole) else {
      return text(seconds)?.utf8.elementsEqual(bytes) == true
    }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: maximalLength) { buffer in
      guard let own = buffer.baseAddress, let other = bytes.baseAddress else { return false }
      let length = write(whole, fraction, digits, to: own)
      return length == bytes.count && ByteText.equal(own, other, length)
    }
  }

  /// The seconds of a date in the form `yyyy-MM-ddTHH:mm:ss.fffZ`, in which the fraction is optional. Nil for any other
  /// form, for an impossible date, and for a date that needs the general path.
  static func seconds(fast bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    guard bytes.count >= 20, bytes.count <= 31, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
      bytes[bytes.count - 1] == UInt8(ascii: "Z")
    else { return nil }
    var bad: UInt8 = 0
    func two(_ index: Int) -> Int {
      let (a, b) = (bytes[index] &- 0x30, bytes[index + 1] &- 0x30)
      bad |= (a > 9 ? 1 : 0) | (b > 9 ? 1 : 0)
      return Int(a) * 10 + Int(b)
    }
    let year = two(0) * 100 + two(2)
    let (month, day, hour, minute, second) = (two(5), two(8), two(11), two(14), two(17))
    guard bad == 0, year >= 1, month >= 1, month <= 12, day >= 1, day <= daysInMonth(month, year), hour < 24,
      minute < 60, second < 60
    else { return nil }
    let whole = (shiftedDay(year, month, day) - shiftedDay2001) * 86_400 + hour * 3600 + minute * 60 + second
    if bytes.count == 20 { return Double(whole) }
    guard bytes[19] == UInt8(ascii: "."), bytes.count >= 22 else { return nil }
    var fraction: UInt64 = 0
    var power: UInt64 = 1
    for index in 20..<bytes.count - 1 {
      let digit = bytes[index] &- 0x30
      guard digit <= 9 else { return nil }
      fraction = fraction * 10 + UInt64(digit)
      power *= 10
    }
    return join(whole, fraction, power)
  }

  /// Joins whole seconds and a fraction of at most ten digits to the nearest number.
  private static func join(_ whole: Int, _ fraction: UInt64, _ power: UInt64) -> Double? {
    if fraction == 0 { return Double(whole) }
    let integer = UInt64(whole >= 0 ? whole : -whole - 1)
    let part = whole >= 0 ? fraction : power - fraction
    guard integer >= 1 << 22, integer < 1 << 33 else { return nil }
    let bits = UInt64(integer.leadingZeroBitCount - 11)
    let (quotient, rest) = (part << bits).quotientAndRemainder(dividingBy: power)
    var mantissa = integer << bits | quotient
    if 2 * rest > power || (2 * rest == power && mantissa & 1 == 1) { mantissa += 1 }
    let number = Double(mantissa) * Double(sign: .plus, exponent: -Int(bits), significand: 1)
    return whole >= 0 ? number : -number
  }
}
