import SnapshotStore

/// A search query: words that must all occur in a text.
///
/// The words of a query are separated by white space. Punctuation around a word is ignored: `red,` and `“red”` are
/// `red`. All other characters belong to the word: `C++`, `#todo` and `don't` are words.
///
/// A word may occur anywhere in a text, also inside a longer word. So the beginning of a word finds it, a part finds a
/// compound, and scripts without spaces need no other rules. Case, accents and invisible characters make no difference
/// on either side: `cafe` finds `Café`, `CAFÉ` finds `cafe`, and `strasse` finds `Straße`. Letters that Unicode does
/// not treat as accented, such as `ø`, `ł` and `æ`, match only themselves. Texts are compared scalar by scalar, so 👩 is
/// found in 👩‍👩‍👧.
///
/// A query without words, or with nothing but accents, matches every text.
public struct SearchQuery: Hashable, Sendable {
  /// The words, each once. The longest comes first, because it is likely to be the rarest.
  let words: [SearchWord]

  /// A query.
  public init(_ text: String) {
    let words = Set(text.split(whereSeparator: \.isWhitespace).map { SearchFolding.folded($0.withoutSignsAround) })
    self.words = words.filter { !$0.isEmpty }.sorted { a, b in
      a.count == b.count ? a.lexicographicallyPrecedes(b) : a.count > b.count
    }.map(SearchWord.init)
  }

  /// Whether a character is punctuation around words. Characters with combining marks are not. The test works on
  /// scalars: a character may have a hundred thousand marks, and hashing it would sort them.
  fileprivate static func isSign(_ character: Character) -> Bool {
    let scalars = character.unicodeScalars
    guard let first = scalars.first, scalars.index(after: scalars.startIndex) == scalars.endIndex else { return false }
    return signs.contains(first)
  }

  private static let signs: Set<Unicode.Scalar> = [
    // The Greek question mark is the same character as the semicolon.
    "\u{37E}",
    ".", ",", ";", ":", "!", "?", "…", "(", ")", "[", "]", "{", "}", "\"", "'", "“", "”", "„", "‘", "’", "‚", "«", "»",
    "‹",
    "›", "、", "。", "，", "；", "：", "！", "？", "（", "）", "「", "」",
  ]

  /// Whether the query has no words, so that it matches every text.
  public var isEmpty: Bool { words.isEmpty }

  /// Whether every word occurs in a text. O(length of the text) per word.
  public func matches(_ text: String) -> Bool {
    var matcher = SearchMatcher(self)
    return matcher.matches(text)
  }

  /// The first place in a text where one of the words occurs; nil if none does. Of two words at one place, the longer
  /// one counts. Invisible characters and accents after the word belong to the match.
  public func firstMatch(in text: String) -> Range<String.Index>? {
    var text = text
    text.makeContiguousUTF8()
    // For every byte of the folded text, the offset of its scalar in the original; at the end, the end of the text.
    var folded: [UInt8] = []
    var origins: [Int] = []
    var origin = 0
    for scalar in text.unicodeScalars {
      let bytes =
        scalar.isASCII
        ? [UInt8(scalar.properties.lowercaseMapping.utf8.first ?? 0)] : SearchFolding.folded(String(scalar))
      folded += bytes
      origins += repeatElement(origin, count: bytes.count)
      origin += UTF8.width(scalar)
    }
    origins.append(origin)
    let matches = words.compactMap { word in
      folded.withUnsafeBufferPointer { word.firstOffset(in: $0) }.map { $0..<$0 + word.bytes.count }
    }
    guard let first = matches.min(by: { ($0.lowerBound, $1.count) < ($1.lowerBound, $0.count) }) else { return nil }
    // A scalar that folds to several bytes belongs to the match as a whole.
    let last = origins[first.upperBound - 1]
    let end = origins[first.upperBound...].first { $0 > last } ?? origin
    let start = text.utf8.index(text.startIndex, offsetBy: origins[first.lowerBound])
    return start..<text.utf8.index(text.startIndex, offsetBy: end)
  }
}

/// Tests many texts, one after the other, against one query.
struct SearchMatcher {
  private let words: [SearchWord]
  /// A buffer for folded texts, reused for each text.
  private var room: [UInt8] = []

  /// The words are copied. Threads that count references to the same arrays would wait for each other all the time.
  init(_ query: SearchQuery) { words = query.words.map { word in SearchWord(word.bytes.map { $0 }) } }

  mutating func matches(_ text: String) -> Bool {
    let isMatch = text.utf8.withContiguousStorageIfAvailable { utf8 in matches(utf8) }
    if let isMatch { return isMatch }
    var copy = text
    return copy.withUTF8 { utf8 in matches(utf8) }
  }

  /// ASCII letters fold to ASCII letters, so a word that stands in a text as it is also stands in the folded text. Only
  /// a text in which that does not settle it, and which has other letters, is folded.
  private mutating func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let missing = words.firstIndex(where: { !$0.isASCII || $0.firstOffset(in: text) == nil }) else { return true }
    if SearchFolding.isASCII(text) { return false }
    let capacity = SearchFolding.capacity(for: text.count)
    if room.count < capacity { room = [UInt8](repeating: 0, count: 2 * capacity) }
    return room.withUnsafeMutableBufferPointer { room in
      let folded = UnsafeBufferPointer(rebasing: room[..<SearchFolding.fold(text, into: room)])
      return words[missing...].allSatisfy { $0.firstOffset(in: folded) != nil }
    }
  }
}

extension Substring {
  /// The word without the punctuation around it; the whole text if it is nothing but punctuation.
  fileprivate var withoutSignsAround: String {
    let word = drop(while: SearchQuery.isSign)
    guard let last = word.lastIndex(where: { !SearchQuery.isSign($0) }) else { return String(self) }
    return String(word[...last])
  }
}
