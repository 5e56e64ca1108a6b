import SnapshotFoundation

/// The substitutes for values that a format cannot hold. Every value that a record can hold can be written in every
/// format, and is read back with the same bits.
///
/// | value | JSON | XML list | binary list |
/// |---|---|---|---|
/// | date of whole seconds, years 1–9999 | ISO 8601 text | `<date>` | date |
/// | date with a fraction, years 1–9999 | ISO 8601 text | the same text | date |
/// | negative zero as a date | `2001-01-01T00:00:00Z-0.0` | the same text | date |
/// | other date | `2001-01-01T00:00:00Z+1e+300` | the same text | the same text |
/// | NaN and infinities | `NaN`, `NaN(0x…)`, `Infinity`, `-Infinity` | the same text | real |
/// | data | `data:;base64,AAEC` | `<data>` | data |
/// | number that no `Double` says | its digits | `<real>`, `<integer>` | `decimal:` and its digits |
/// | text or key with a character XML forbids | text | `data:text/plain;charset=utf-8;base64,AAEC` | text |
/// | a text of a form above | its first character as `\u00…` | the same as `&#…;` | in UTF-16 |
/// | null | null | `$null`; a text of that form has one more `$` | the same |
/// | integer beyond 64 bits, `Decimal` | decimal text | the same | the same |
/// | `UUID`, `URL` without a base | its text | the same | the same |
///
/// A text of a form above counts as one only in a format that has the form; see `StandIn`. So every value that is read
/// without its type has the kind and the bits with which it was written.
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
