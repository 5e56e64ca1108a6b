import SnapshotFoundation

/// The texts that stand for values that a format lacks.
///
/// Each such value has exactly one text:
///
/// | value | its text |
/// |---|---|
/// | date in the years 1 to 9999 | `2026-11-21T15:30:00.25Z`, as `TextDate` writes it |
/// | any other date | `2001-01-01T00:00:00Z+1e+300`: the seconds since then, with their sign |
/// | number that is not finite | `NaN`, `Infinity`, `-Infinity`; `NaN(0x…)` for a NaN with other bits |
/// | data | `data:;base64,AAEC` |
/// | number of more digits than a `Double` keeps | `decimal:0.1234567890123456789` |
/// | text with a character that XML forbids | `data:text/plain;charset=utf-8;base64,AAEC` |
///
/// A real text of this form is written with its first character escaped, or as UTF-16 in a binary list. So a reader
/// knows the kind of every value without its type, and other programs read the same text either way. Any other spelling
/// is only text.
enum StandIn {
  /// The kinds of values that a format lacks.
  struct Kinds: OptionSet {
    let rawValue: UInt8

    /// Dates of whole seconds in the years 1 to 9999.
    static var wholeDates: Kinds { Kinds(rawValue: 1) }
    /// Dates with a fraction in these years.
    static var fractions: Kinds { Kinds(rawValue: 2) }
    /// Negative zero as a date.
    static var negativeZero: Kinds { Kinds(rawValue: 4) }
    /// Dates outside these years, and those that are not finite.
    static var farDates: Kinds { Kinds(rawValue: 8) }
    static var nonFinite: Kinds { Kinds(rawValue: 16) }
    static var data: Kinds { Kinds(rawValue: 32) }
    /// Texts with a character that XML forbids.
    static var texts: Kinds { Kinds(rawValue: 64) }
    /// Numbers that no `Double` says.
    static var decimals: Kinds { Kinds(rawValue: 128) }

    static func ofDate(_ seconds: Double) -> Kinds {
      guard TextDate.isInCalendar(seconds) else { return .farDates }
      if seconds == 0, seconds.sign == .minus { return .negativeZero }
      return seconds == seconds.rounded() ? .wholeDates : .fractions
    }
  }

  // MARK: Writing

  /// The text of a date that has no other text. See `TextDate.text`.
  static func text(farDate seconds: Double) -> String {
    let number = seconds.isFinite ? seconds.description : Representation.text(nonFinite: seconds)
    return origin.description + (number.utf8.first == UInt8(ascii: "-") ? number : "+" + number)
  }

  static func text(data bytes: [UInt8]) -> String { dataMark.description + Representation.base64(bytes) }

  static func text(forbidden text: String) -> String {
    textMark.description + Representation.base64(Array(text.utf8))
  }

  static func text(decimal: String) -> String { decimalMark.description + decimal }

  /// The text for a value that some format lacks; nil for other values.
  static func text(of content: Item.Content) -> String? {
    switch content {
    case .date(let seconds): TextDate.fastText(seconds) ?? text(farDate: seconds)
    case .real(let number) where !number.isFinite: Representation.text(nonFinite: number)
    case .data(let bytes): text(data: bytes)
    default: nil
    }
  }

  // MARK: Reading

  /// Whether a text that begins with a byte may be one of these.
  @inline(__always)
  static func mayBegin(with byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "I"), UInt8(ascii: "N"),
      UInt8(ascii: "d"):
      true
    default: false
    }
  }

  /// The value for which a text stands; nil if it is only text.
  @inline(__always)
  static func content(of utf8: UnsafeBufferPointer<UInt8>, among kinds: Kinds) -> Item.Content? {
    guard let first = utf8.first, mayBegin(with: first) else { return nil }
    return exactContent(of: utf8, first, kinds)
  }

  /// The same for a `String`.
  @inline(__always)
  static func content(of text: String, among kinds: Kinds) -> Item.Content? {
    var text = text
    return text.withUTF8 { content(of: $0, among: kinds) }
  }

  @inline(never)
  private static func exactContent(
    of utf8: UnsafeBufferPointer<UInt8>, _ first: UInt8, _ kinds: Kinds
  ) -> Item.Content? {
    switch first {
    case UInt8(ascii: "d"): return data(utf8, kinds) ?? decimal(utf8, kinds)
    case UInt8(ascii: "-"), UInt8(ascii: "I"), UInt8(ascii: "N"):
      guard kinds.contains(.nonFinite), utf8.count <= longestNumber else { return nil }
      let text = String(decoding: utf8, as: UTF8.self)
      guard let number = Representation.nonFinite(text),
        Representation.text(nonFinite: number).utf8.elementsEqual(utf8)
      else { return nil }
      return .real(number)
    default:
      guard let seconds = farDate(utf8) ?? TextDate.seconds(canonical: utf8), kinds.contains(.ofDate(seconds)) else {
        return nil
      }
      return .date(seconds)
    }
  }

  /// The seconds of a date that has no other text.
  static func farDate(_ utf8: UnsafeBufferPointer<UInt8>) -> Double? {
    let start = origin.utf8CodeUnitCount
    guard utf8.count > start, utf8.count <= start + 1 + longestNumber, ByteText.isNext(origin, utf8, at: 0) else {
      return nil
    }
    let signed = String(decoding: utf8[start...], as: UTF8.self)
    let number = signed.utf8.first == UInt8(ascii: "+") ? String(signed.dropFirst()) : signed
    guard let seconds = Representation.nonFinite(number) ?? Double(number), TextDate.text(seconds) == nil,
      text(farDate: seconds).utf8.elementsEqual(utf8)
    else { return nil }
    return seconds
  }

  /// The bytes of data as text; nil for any other text.
  static func data(_ text: String) -> [UInt8]? {
    guard case .data(let bytes) = content(of: text, among: .data) else { return nil }
    return bytes
  }

  private static func data(_ utf8: UnsafeBufferPointer<UInt8>, _ kinds: Kinds) -> Item.Content? {
    func bytes(behind mark: StaticString) -> [UInt8]? {
      guard ByteText.isNext(mark, utf8, at: 0) else { return nil }
      return Representation.bytes(base64: String(decoding: utf8[mark.utf8CodeUnitCount...], as: UTF8.self))
    }
    if kinds.contains(.data), let bytes = bytes(behind: dataMark) { return .data(bytes) }
    guard kinds.contains(.texts), let bytes = bytes(behind: textMark),
      !bytes.withUnsafeBufferPointer(ByteText.isXML), let text = String(validating: bytes, as: UTF8.self)
    else { return nil }
    return .string(text)
  }

  private static func decimal(_ utf8: UnsafeBufferPointer<UInt8>, _ kinds: Kinds) -> Item.Content? {
    guard kinds.contains(.decimals), ByteText.isNext(decimalMark, utf8, at: 0) else { return nil }
    let text = String(decoding: utf8[decimalMark.utf8CodeUnitCount...], as: UTF8.self)
    guard NumberText.isDecimal(text, isInteger: false) else { return nil }
    let content = NumberText.content(text, isInteger: NumberText.isDecimal(text, isInteger: true))
    guard case .decimal(let number) = content, number == text else { return nil }
    return content
  }

  /// The date from which the seconds of other dates count.
  private static var origin: StaticString { "2001-01-01T00:00:00Z" }
  private static var dataMark: StaticString { "data:;base64," }
  private static var decimalMark: StaticString { "decimal:" }
  /// The beginning of a text with a character that XML forbids.
  static var textMark: StaticString { "data:text/plain;charset=utf-8;base64," }
  /// The length of the longest number: `-1.7976931348623157e+308`, or a NaN with 16 digits.
  private static var longestNumber: Int { 24 }
}

extension Item {
  /// The text. A value that some format shows as text counts as that text. Another program may have taken the escape at
  /// the beginning of a text away.
  var text: String? {
    if case .string(let text) = content { return text }
    return StandIn.text(of: content)
  }
}
