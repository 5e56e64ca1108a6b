import Foundation
import SnapshotStore

/// A valid name of a tag: not empty, with single spaces between its words.
///
/// ```swift
/// let name = TagName("  Rue   de Rivoli ")
/// print(name?.spelling ?? "")                     // Rue de Rivoli
/// print(name?.id ?? "")                           // rue de rivoli
/// ```
public struct TagName: Equatable, Sendable {
  /// The name with white space collapsed and trimmed.
  public let spelling: String
  /// The spelling in lower case, independent of locale, in Unicode's normalisation form C. Names with the same id are
  /// one name.
  ///
  /// Characters beyond U+FFFF stay decomposed.
  public let id: Tag.ID

  /// Nil if the text is nothing but white space.
  public init?(_ text: String) {
    if let isLowercase = Self.isLowercase(plain: text) {
      spelling = text
      id = isLowercase ? text : text.lowercased()
      return
    }
    let words = text.unicodeScalars.split(whereSeparator: \.properties.isWhitespace)
    guard !words.isEmpty else { return nil }
    spelling = words.map { String($0) }.joined(separator: " ")
    id = NameForm.composed(spelling.lowercased())
  }

  /// Whether a plain text is in lower case. Plain is ASCII with single spaces between its words, as most names are.
  /// Such a text is its own spelling. Nil for every other text.
  private static func isLowercase(plain text: String) -> Bool? {
    var last = UInt8(ascii: " ")
    var isLowercase = true
    for byte in text.utf8 {
      if byte >= 0x80 || (0x09...0x0D).contains(byte) || (byte == UInt8(ascii: " ") && last == byte) { return nil }
      if (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) { isLowercase = false }
      last = byte
    }
    return last != UInt8(ascii: " ") ? isLowercase : nil
  }
}
