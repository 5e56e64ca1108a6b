/// Keeps spreadsheets from running a note: they take a field that begins with one of `=+-@`, a tab or a carriage return for a
/// formula. An apostrophe before it makes it text.
///
/// Every text comes back exactly: one that begins with apostrophes before such a character gets one more, and so what is
/// taken off is always what was put on.
enum FormulaGuard {
  /// Whether a text gets an apostrophe.
  static func defuses(_ text: String) -> Bool {
    text.utf8.first { $0 != apostrophe }.map(isDangerous) ?? false
  }

  /// The text without the apostrophe that it was given, if it was.
  static func restored(_ text: String) -> String {
    guard text.utf8.first == apostrophe, defuses(text) else { return text }
    return String(text.unicodeScalars.dropFirst())
  }

  private static func isDangerous(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 0x09, 0x0D: true
    default: false
    }
  }

  private static let apostrophe = UInt8(ascii: "'")
}
