import SnapshotFoundation

/// The substitutes for values that a format cannot hold. Every value that a record can hold can be written in every
/// format, and is read back with the same bits.
///
/// | value | JSON | XML list | binary list |
/// |---|---|---|---|
/// | date, years 1–9999 | ISO 8601 text | `<date>`, or ISO 8601 text if it has a fraction | date |
/// | negative zero as a date | number of seconds | `<real>` | date |
/// | other finite date | number of seconds | `<real>` | real |
/// | NaN and infinities, as number or date | `"NaN"`, `"Infinity"`, `"-Infinity"` | the same text | real |
/// | other NaN | `"NaN(0x…)"` with its bits | the same text | real |
/// | integer beyond 64 bits, `Decimal` | decimal text | the same | the same |
/// | `UUID`, `URL` without a base | its text | the same | the same |
/// | data | base64 text | `<data>` | data |
/// | null | null | `$null`; a text of that form has one more `$` | the same |
/// | text with a character XML forbids | text | `<data>` with its UTF-8 | text |
/// | dictionary with such a key | object | `<array>` of keys and values in turn | dictionary |
enum Representation {
  /// The text for a number that is not finite.
  static func text(nonFinite number: Double) -> String {
    if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
    if number.bitPattern == Double.nan.bitPattern { return "NaN" }
    return "NaN(0x\(String(number.bitPattern, radix: 16)))"
  }

  /// The number for the text of a number that is not finite; nil for any other text.
  static func nonFinite(_ text: String) -> Double? {
    switch text {
    case "NaN": return .nan
    case "Infinity": return .infinity
    case "-Infinity": return -.infinity
    default:
      guard text.hasPrefix("NaN(0x"), text.hasSuffix(")"),
        text.dropFirst(6).dropLast().allSatisfy(\.isHexDigit),
        let bits = UInt64(text.dropFirst(6).dropLast(), radix: 16), Double(bitPattern: bits).isNaN
      else { return nil }
      return Double(bitPattern: bits)
    }
  }

  /// The content that represents a date in a format without dates.
  static func textual(date seconds: Double) -> Item.Content {
    if let text = TextDate.text(seconds) { return .string(text) }
    return .real(seconds)
  }

  /// The content of a text in a property list.
  static func unescapingNull(_ text: String) -> Item.Content {
    var text = text
    guard text.withUTF8(ByteText.isNullLike) else { return .string(text) }
    return text == "$null" ? .null : .string(String(text.dropFirst()))
  }

  static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

  /// Decodes base64. Accepts the canonical form only, so that writing gives the same text again.
  static func bytes(base64 text: String) -> [UInt8]? {
    guard let data = Data(base64Encoded: text), data.base64EncodedString() == text else { return nil }
    return Array(data)
  }
}
