import Foundation
import SnapshotStore

/// A name that a tag can have: not empty, with single spaces between its words.
public struct TagName: Equatable, Sendable {
  /// The name with white space collapsed and trimmed.
  public let spelling: String
  /// The spelling in lower case, without regard to locale, in Unicode's normalisation form C: what makes two names one.
  ///
  /// Characters beyond U+FFFF stay decomposed.
  public let id: Tag.ID

  /// Nil if nothing is left of the text without its white space.
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

  /// Whether a text is in lower case that is ASCII with single spaces between its words, as most names are: it is its own
  /// spelling then. Nil for every other text.
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
