import SnapshotStore

/// Keeps spreadsheets from running a note: they take a field that begins with one of `=+-@`, a tab or a carriage return
/// for a formula; some of them also behind white space, or if the character is a full-width one. An apostrophe before
/// it makes it text.
///
/// Every text comes back exactly: one that begins with apostrophes before such a beginning gets one more, and so what
/// is taken off is always what was put on.
enum FormulaGuard {
  /// Whether a text gets an apostrophe.
  static func defuses(_ text: String) -> Bool {
    let bytes = text.utf8.drop { $0 == apostrophe }
    if let first = bytes.first, first == tab || first == carriageReturn { return true }
    let rest = bytes.drop { $0 == space || $0 == lineFeed || $0 == tab || $0 == carriageReturn }
    return beginnings.contains { rest.starts(with: $0) }
  }

  /// The text without the apostrophe that it was given, if it was.
  static func restored(_ text: String) -> String {
    guard text.utf8.first == apostrophe, defuses(text) else { return text }
    return String(text.unicodeScalars.dropFirst())
  }

  /// Of formulas.
  private static let beginnings = ["=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}"].map {
    Array($0.utf8)
  }
  private static let apostrophe = UInt8(ascii: "'")
  private static let space = UInt8(ascii: " ")
  private static let tab = UInt8(ascii: "\t")
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")
}
