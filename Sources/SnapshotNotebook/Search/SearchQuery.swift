import SnapshotStore

/// What is looked for in texts: words, each of which must occur.
///
/// A word of the query is what stands between white space, without the signs around it that part words and sentences (`red,` is
/// `red`, and `“red”` too), but with all others: `C++`, `#todo` and `don't` are words. It may occur anywhere in a text, inside
/// of a longer word too, so that the beginning of a word finds it, a part of a compound finds the compound, and scripts
/// without spaces need no other rules. Case, accents and what cannot be seen make no difference, on either side:
/// `cafe` finds `Café`, and `CAFÉ` finds `cafe`; `strasse` finds `Straße`. Letters that are no accented ones in Unicode stay
/// what they are: `ø`, `ł` and `æ` are found as themselves only. Texts are compared scalar by scalar, so that 👩 is found in 👩‍👩‍👧.
///
/// A query without words, or with nothing but accents, matches every text.
public struct SearchQuery: Hashable, Sendable {
  /// The words, each once, the longest first, because it is likely to be the rarest.
  let words: [SearchWord]

  /// A query.
  public init(_ text: String) {
    let words = Set(text.split(whereSeparator: \.isWhitespace).map { SearchFolding.folded($0.withoutSignsAround) })
    self.words = words.filter { !$0.isEmpty }.sorted { a, b in
      a.count == b.count ? a.lexicographicallyPrecedes(b) : a.count > b.count
    }.map(SearchWord.init)
  }

  /// Whether a character is a sign that does not belong to the words beside it. Signs with marks are none. By scalars: a
  /// character may have a hundred thousand marks, which would be brought into order to hash it.
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

  /// Whether every word occurs in a text. Takes time in proportion to the length of the text, for each word.
  public func matches(_ text: String) -> Bool {
    var matcher = SearchMatcher(self)
    return matcher.matches(text)
  }

  /// Where the first of the words stands that occurs in a text; nil if none does. Of two that begin at one place, the
  /// longer one. What is invisible or an accent behind it belongs to it.
  public func firstMatch(in text: String) -> Range<String.Index>? {
    var text = text
    text.makeContiguousUTF8()
    // For every byte of the folded text the offset of the scalar that it came from, and that of the end.
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
    // A scalar that is folded to several bytes belongs to the match as a whole.
    let last = origins[first.upperBound - 1]
    let end = origins[first.upperBound...].first { $0 > last } ?? origin
    let start = text.utf8.index(text.startIndex, offsetBy: origins[first.lowerBound])
    return start..<text.utf8.index(text.startIndex, offsetBy: end)
  }
}

/// Asks of many texts, one after the other, whether they match a query.
struct SearchMatcher {
  private let words: [SearchWord]
  /// Room for a folded text, kept from one to the next.
  private var room: [UInt8] = []

  /// The words are copied: two threads that count references to the same arrays wait for each other all the time.
  init(_ query: SearchQuery) { words = query.words.map { word in SearchWord(word.bytes.map { $0 }) } }

  mutating func matches(_ text: String) -> Bool {
    let isMatch = text.utf8.withContiguousStorageIfAvailable { utf8 in matches(utf8) }
    if let isMatch { return isMatch }
    var copy = text
    return copy.withUTF8 { utf8 in matches(utf8) }
  }

  /// Letters of ASCII fold to letters of ASCII, so a word that stands in a text as it is also stands in the folded one. Only
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
  /// The word in it; itself if it is nothing but signs.
  fileprivate var withoutSignsAround: String {
    let word = drop(while: SearchQuery.isSign)
    guard let last = word.lastIndex(where: { !SearchQuery.isSign($0) }) else { return String(self) }
    return String(word[...last])
  }
}
