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
///
/// ```swift
/// let found = posts.search(in: [\.title, \.body], for: "pencil draw", limit: 20)
/// ```
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

  /// Whether every word occurs in a text, or in one of several texts. O(length of the texts) per word.
  ///
  /// A live list of the records that a search finds: `store.observe(\.posts, where: { query.matches([$0.title,
  /// $0.body]) }, sortedBy: \.date)`.
  public func matches(_ text: some SearchableText) -> Bool {
    var matcher = SearchMatcher(self)
    return matcher.matches(text)
  }

  /// The first place in a text where one of the words occurs; nil if none does. Of two words at one place, the longer
  /// one counts. Invisible characters and accents after the word belong to the match.
  public func firstMatch(in text: String) -> Range<String.Index>? {
    let places = FoldedPlaces(text)
    let first = words.compactMap(places.first).min { ($0.lowerBound, $1.count) < ($1.lowerBound, $0.count) }
    return first.map { places.indexes(of: places.range(of: $0)) }
  }

  /// All places in a text where words occur, to highlight them: in order, without overlaps. O(length of the text) per
  /// word.
  ///
  /// Where words overlap, there is one place for both. A place begins and ends between scalars, not always between
  /// characters: in 👩‍👩‍👧, 👩 occurs.
  public func ranges(in text: String) -> [Range<String.Index>] {
    let places = FoldedPlaces(text)
    var ranges: [Range<Int>] = []
    for range in words.flatMap({ places.all($0).map(places.range) }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = ranges.last, range.lowerBound < last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        ranges.append(range)
      }
    }
    return ranges.map(places.indexes)
  }
}

extension SearchQuery: ExpressibleByStringLiteral {
  /// A query with the words of a literal.
  public init(stringLiteral text: String) { self.init(text) }
}

extension Substring {
  /// The word without the punctuation around it; the whole text if it is nothing but punctuation.
  fileprivate var withoutSignsAround: String {
    let word = drop(while: SearchQuery.isSign)
    guard let last = word.lastIndex(where: { !SearchQuery.isSign($0) }) else { return String(self) }
    return String(word[...last])
  }
}
