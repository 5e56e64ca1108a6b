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
  ///
  /// It takes eight characters at a time as one number. Pairs of digits become numbers below 100 in one multiplication.
  static func seconds(fast bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    guard bytes.count >= 20, bytes.count <= 31, bytes[bytes.count - 1] == UInt8(ascii: "Z"),
      let base = bytes.baseAddress
    else { return nil }
    let raw = UnsafeRawPointer(base)
    // `yyyy-MM-`, `ddTHH:mm` and `HH:mm:ss`.
    guard let date = pairs(word(raw, 0), like: 0x2D30_302D_3030_3030, digits: 0x000F_0F00_0F0F_0F0F),
      let rest = pairs(word(raw, 8), like: 0x3030_3A30_3054_3030, digits: 0x0F0F_000F_0F00_0F0F),
      let time = pairs(word(raw, 11), like: 0x3030_3A30_303A_3030, digits: 0x0F0F_000F_0F00_0F0F)
    else { return nil }
    let (year, month, day) = (pair(date, 0) * 100 + pair(date, 2), pair(date, 5), pair(rest, 0))
    let (hour, minute, second) = (pair(time, 0), pair(time, 3), pair(time, 6))
    guard year >= 1, month >= 1, month <= 12, day >= 1, day <= 28 || day <= daysInMonth(month, year), hour < 24,
      minute < 60, second < 60
    else { return nil }
    let whole = (shiftedDay(year, month, day) - shiftedDay2001) * 86_400 + hour * 3600 + minute * 60 + second
    let digits = bytes.count - 21
    if digits < 0 { return Double(whole) }
    guard digits > 0, bytes[19] == UInt8(ascii: "."), let fraction = fraction(raw + 20, digits) else { return nil }
    return join(whole, fraction, powers[digits])
  }

  /// The number of up to ten digits, which eight characters or more precede.
  @inline(__always)
  private static func fraction(_ place: UnsafeRawPointer, _ digits: Int) -> UInt64? {
    var leading: UInt64 = 0
    for index in 0..<max(0, digits - 8) {
      let digit = place.load(fromByteOffset: index, as: UInt8.self) &- 0x30
      if digit > 9 { return nil }
      leading = leading * 10 + UInt64(digit)
    }
    // The last eight characters, with zeros in place of those before the digits.
    let zeros = UInt64(8 * max(0, 8 - digits))
    let word = (word(place, digits - 8) ^ 0x3030_3030_3030_3030) & ~0 &<< zeros
    guard let pairs = pairs(word, like: 0, digits: 0x0F0F_0F0F_0F0F_0F0F) else { return nil }
    // Four pairs, the first in the lowest byte.
    let low = (pairs & 0x0000_00FF_0000_00FF) &* (100 + 1_000_000 << 32)
    let high = (pairs &>> 16 & 0x0000_00FF_0000_00FF) &* (1 + 10_000 << 32)
    return leading * powers[8] + (low &+ high) &>> 32
  }

  @inline(__always)
  private static func word(_ place: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: place.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// In byte i, the number that the digits i and i + 1 make. Nil unless the characters are those of a pattern.
  ///
  /// - Parameters:
  ///   - pattern: the characters, with a zero for each digit.
  ///   - digits: bits where there are digits.
  @inline(__always)
  private static func pairs(_ word: UInt64, like pattern: UInt64, digits: UInt64) -> UInt64? {
    let values = word ^ pattern
    // The highest bit of each byte tells a digit above 9, and any other character that differs.
    let excess = values &+ (0x7F7F_7F7F_7F7F_7F7F &- digits &* 9 / 15)
    guard (values | excess) & 0x8080_8080_8080_8080 == 0 else { return nil }
    return values &* 10 &+ values &>> 8
  }

  @inline(__always)
  private static func pair(_ pairs: UInt64, _ index: UInt64) -> Int { Int(pairs &>> (8 * index) & 0xFF) }

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
    let number = Double(mantissa) * Double(bitPattern: (1023 - bits) << 52)
    return whole >= 0 ? number : -number
  }
}
