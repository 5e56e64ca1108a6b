import Foundation

/// A name that a tag can have: not empty, with single spaces between its words.
public struct TagName: Equatable, Sendable {
  /// The name with white space collapsed and trimmed.
  public let spelling: String
  /// The spelling in lower case, without regard to locale, in Unicode's normalisation form C: what makes two names one.
  ///
  /// Characters beyond U+FFFF stay decomposed; see `composed`.
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
    id = Self.composed(spelling.lowercased())
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

  /// The normal form, with care: on Linux (Swift 6.3.1), Foundation does not compose a Hangul syllable with a further
  /// letter, may need two passes to bring marks into order, and composes a letter beyond U+FFFF as if it were the one
  /// with its low 16 bits, so that two names would become one. Decomposing twice and composing the rest only avoids all
  /// three.
  private static func composed(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    let decomposed = text.decomposedStringWithCanonicalMapping.decomposedStringWithCanonicalMapping
    var result = ""
    var run = String.UnicodeScalarView()
    for scalar in decomposed.unicodeScalars {
      if scalar.value <= 0xFFFF {
        run.append(scalar)
      } else {
        result += String(run).precomposedStringWithCanonicalMapping
        run = String.UnicodeScalarView()
        result.unicodeScalars.append(scalar)
      }
    }
    return result + String(run).precomposedStringWithCanonicalMapping
  }
}
