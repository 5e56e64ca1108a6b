import Foundation

/// A name that a tag can have: not empty, with single spaces between its words.
public struct TagName: Equatable, Sendable {
  /// The name with white space collapsed and trimmed.
  public let spelling: String
  /// The spelling in lower case, without regard to locale, in Unicode's normalisation form C: what makes two names one.
  public let id: Tag.ID

  /// Nil if nothing is left of the text without its white space.
  public init?(_ text: String) {
    let words = text.unicodeScalars.split(whereSeparator: \.properties.isWhitespace)
    guard !words.isEmpty else { return nil }
    spelling = words.map { String($0) }.joined(separator: " ")
    id = spelling.lowercased().precomposedStringWithCanonicalMapping
  }
}
