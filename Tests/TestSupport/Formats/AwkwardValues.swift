import Foundation

/// Random values, often ones that formats have handled wrongly.
extension SeededGenerator {
  mutating func chance(_ oneIn: Int) -> Bool { Int.random(in: 0..<oneIn, using: &self) == 0 }
  mutating func pick<Element>(_ elements: [Element]) -> Element { elements.randomElement(using: &self)! }

  mutating func list<Element>(
    upTo count: Int = 4, _ make: (inout SeededGenerator) -> Element
  ) -> [Element] {
    let count = Int.random(in: 0...count, using: &self)
    return (0..<count).map { _ in make(&self) }
  }

  /// An integer of any magnitude: the ends of the range, the neighbours of powers of two, and the rest.
  mutating func integer<T: FixedWidthInteger & Sendable>(_ type: T.Type = T.self) -> T {
    switch Int.random(in: 0..<4, using: &self) {
    case 0: return pick([T.min, T.max, 0, 1])
    case 1: return (T(1) << T(truncatingIfNeeded: Int.random(in: 0..<T.bitWidth, using: &self))) &- 1
    default: return T(truncatingIfNeeded: next() >> UInt64.random(in: 0..<64, using: &self))
    }
  }

  static let specialDoubles: [Double] = [
    0, -0.0, 1, -1, 0.1, 1.0 / 3, 1e22, 1e23, 123_456_789_012_345_680, 9_007_199_254_740_994, 0x1p63, -0x1p63, 0x1p64,
    .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .leastNormalMagnitude, Double.leastNormalMagnitude.nextDown,
    .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .infinity, -.infinity, .nan, -.nan, .signalingNaN,
    Double(bitPattern: 0x7FF8_0000_0000_0001), Double(bitPattern: 0xFFF8_DEAD_BEEF_CAFE),
    Double(bitPattern: 0x7FF0_0000_0000_0001), Double(bitPattern: 0xFFFF_FFFF_FFFF_FFFF),
  ]

  /// A double of any bit pattern.
  mutating func double() -> Double {
    switch Int.random(in: 0..<4, using: &self) {
    case 0: pick(Self.specialDoubles)
    case 1: Double(bitPattern: next())
    case 2: Double(Int64(bitPattern: next()) >> Int64.random(in: 0..<64, using: &self))
    default: Double.random(in: -1000...1000, using: &self)
    }
  }

  /// A float of any bit pattern, except a signalling NaN: a conversion to `Double` makes it a quiet one.
  mutating func float() -> Float {
    let float =
      chance(2) ? Float(bitPattern: UInt32(truncatingIfNeeded: next())) : Float.random(in: -9...9, using: &self)
    return float.isSignalingNaN ? Float(bitPattern: float.bitPattern | 0x0040_0000) : float
  }

  /// Seconds since 2001 of the first and the last moment that text can show, and of their neighbours. Foundation's
  /// distant past is two days before the first, because its calendar is the Julian one there.
  static let edgeDates: [Double] = [
    -63_113_904_000, (-63_113_904_000.0).nextDown, (-63_113_904_000.0).nextUp, 252_423_993_599, 252_423_993_600,
    (252_423_993_600.0).nextDown, Date.distantPast.timeIntervalSinceReferenceDate,
    Date.distantFuture.timeIntervalSinceReferenceDate, -978_307_200, 0.5, -0.5, -1, 1e15, -1e15, 1e-7, -1e-7,
  ]

  /// Seconds of a date: whole, with a fraction, in and out of the calendar, or with any bits at all.
  mutating func dateSeconds() -> Double {
    switch Int.random(in: 0..<6, using: &self) {
    case 0: pick(Self.edgeDates)
    case 1: double()
    case 2: Double(Int64.random(in: -63_113_904_000...252_423_993_599, using: &self))
    case 3: Double.random(in: -63_113_904_000...252_423_993_599, using: &self)
    case 4: Double(Int.random(in: -1_000_000_000_000...1_000_000_000_000, using: &self)) / 1000
    default: Double.random(in: -2...2, using: &self)
    }
  }

  mutating func date() -> Date { Date(timeIntervalSinceReferenceDate: dateSeconds()) }

  /// Pieces of text that some reader, writer or tool has handled wrongly.
  static let textPieces: [String] = [
    "a", "Z", " ", "  ", "é", "e\u{301}", "\u{1112}\u{1161}\u{11AB}", "한", "ﬁ", "Å", "\u{212B}", "ß", "İ", "😀",
    "👩‍👩‍👧‍👦", "🏳️‍🌈", "مرحبا", "\u{202E}", "\u{200F}", "\u{200D}", "\u{FEFF}", "\0", "\u{1}", "\u{8}", "\t", "\n", "\u{B}",
    "\u{C}", "\r", "\r\n", "\u{1B}", "\u{1F}", "\u{7F}", "\u{80}", "\u{85}", "\u{9F}", "\u{A0}", "\u{2028}", "\u{2029}",
    "\u{D7FF}", "\u{E000}", "\u{FFFD}", "\u{FFFE}", "\u{FFFF}", "\u{1FFFE}", "\u{10FFFF}", "\"", "\\", "/", "'", "&",
    "&amp;", "&#0;", "<", ">", "]]>", "<![CDATA[", "<!--", "-->", "</string>", "$null", "$$null", "$", "null", "NaN",
    "Infinity", "2001-01-01T00:00:00Z", "\\u0000", "{", "}", "[", "]", ",", ":", "0", "1.0", "true", "=", "AAAA",
  ]

  /// A text of such pieces, or of any characters at all.
  mutating func text(upTo count: Int = 6) -> String {
    if chance(8) { return pick(Self.textPieces) }
    if chance(40) { return String(repeating: pick(Self.textPieces), count: Int.random(in: 14...300, using: &self)) }
    return list(upTo: count) { generator in
      if !generator.chance(4) { return generator.pick(Self.textPieces) }
      let scalar = Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &generator))
      return String(scalar ?? "\u{FFFD}")
    }.joined()
  }

  mutating func data() -> Data {
    let count = pick([0, 1, 2, 3, 14, 15, 16, 255, 256])
    return Data((0..<count).map { _ in UInt8(truncatingIfNeeded: next()) })
  }

  mutating func uuid() -> UUID {
    let bytes = (0..<16).map { _ in UInt8(truncatingIfNeeded: next()) }
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  mutating func decimal() -> Decimal {
    switch Int.random(in: 0..<4, using: &self) {
    case 0: return pick([.nan, 0, 1, Decimal(string: "-0.1")!, Decimal(UInt64.max), Decimal(Int64.min)])
    case 1: return Decimal(string: (0..<38).map { _ in "\(UInt8.random(in: 1...9, using: &self))" }.joined())!
    default:
      let digits = Decimal(integer(Int64.self))
      return digits * Decimal(sign: .plus, exponent: Int.random(in: -20...20, using: &self), significand: 1)
    }
  }
}
