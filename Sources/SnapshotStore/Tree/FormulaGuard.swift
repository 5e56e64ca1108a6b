/// Keeps spreadsheets from running a text as a formula.
///
/// Spreadsheets take a field for a formula if it begins with one of `=+-@`, a tab or a carriage return. Some also do so
/// after white space, or for full-width forms of these characters. An apostrophe before the character makes the field
/// text.
///
/// Every text is read back exactly. A text that begins with apostrophes before such a character gets one more, so
/// reading removes exactly what writing added.
enum FormulaGuard {
  /// Whether a text needs an apostrophe.
  static func defuses(_ text: String) -> Bool {
    let bytes = text.utf8.drop { $0 == apostrophe }
    if let first = bytes.first, first == tab || first == carriageReturn { return true }
    let rest = bytes.drop { $0 == space || $0 == lineFeed || $0 == tab || $0 == carriageReturn }
    return beginnings.contains { rest.starts(with: $0) }
  }

  /// The text without the apostrophe that `defuses` asked for.
  static func restored(_ text: String) -> String {
    guard text.utf8.first == apostrophe, defuses(text) else { return text }
    return String(text.unicodeScalars.dropFirst())
  }

  /// The first characters of formulas.
  private static let beginnings = ["=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}"].map {
    Array($0.utf8)
  }
  private static let apostrophe = UInt8(ascii: "'")
  private static let space = UInt8(ascii: " ")
  private static let tab = UInt8(ascii: "\t")
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")
}
