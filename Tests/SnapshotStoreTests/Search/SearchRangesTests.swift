import Testing

@testable import SnapshotStore
@testable import TestSupport

/// All places of words in a text.
struct SearchRangesTests {
  @Test func whereTheyAre() {
    each([
      ("red", "Red, rédder and bored", ["Red", "réd", "red"]), ("a b", "a b ab", ["a", "b", "a", "b"]),
      ("red redder", "a redder red", ["redder", "red"]), ("abc bcd", "xabcdx", ["abcd"]),
      ("aa", "aaaaa", ["aa", "aa"]),
      ("s", "Aßs", ["ß", "s"]), ("ss", "ßß", ["ß", "ß"]), ("sss", "ßß", ["ßß"]),
      ("cafe", "cafe\u{301}!", ["cafe\u{301}"]),
      ("hyphen", "a hy\u{AD}phen", ["hy\u{AD}phen"]), ("👩", "👩‍👩‍👧", ["👩\u{200D}", "👩\u{200D}"]), ("fi", "ﬁ", ["ﬁ"]),
      ("istanbul", "İSTANBUL", ["İSTANBUL"]), ("x", "abc", []), ("", "abc", []), ("x", "", []), ("\u{301}", "x", []),
    ]) { (query: String, text: String, expected: [String]) in
      let found = SearchQuery(query).ranges(in: text).map { Array(text.unicodeScalars[$0]) }
      #expect(found == expected.map { Array($0.unicodeScalars) })
    }
  }

  /// The places are in order and apart. Each has a word, no text between them has one, and the first place is the one
  /// of `firstMatch`.
  @Test(arguments: SeededGenerator.seeds(4)) func whatHoldsOfThem(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let parts = ["a", "A", "b", "é", "e\u{301}", "ß", "S", "İ", "ﬁ", "f", " ", "日", "が", "か\u{3099}", "👩‍👩‍👧", "\u{AD}"]
    func text(_ length: ClosedRange<Int>) -> String {
      (0..<Int.random(in: length, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
    }
    for _ in 0..<600 {
      let (words, text) = ((0..<2).map { _ in text(1...2) }, text(0...20))
      let query = SearchQuery(words.joined(separator: " "))
      let single = query.words.map { SearchQuery(String(decoding: $0.bytes, as: UTF8.self)) }
      let message = "\(words) in \(text), seed \(seed)"
      let ranges = query.ranges(in: text)
      var end = text.startIndex
      for range in ranges {
        #expect(range.lowerBound >= end && !range.isEmpty, "\(message)")
        #expect(single.contains { $0.matches(String(text.unicodeScalars[range])) }, "\(message)")
        #expect(!single.contains { $0.matches(String(text.unicodeScalars[end..<range.lowerBound])) }, "\(message)")
        end = range.upperBound
      }
      #expect(!single.contains { $0.matches(String(text.unicodeScalars[end...])) }, "\(message)")
      #expect(ranges.first?.lowerBound == query.firstMatch(in: text)?.lowerBound, "\(message)")
    }
  }

  /// Many places and many near misses: quadratic time would be minutes.
  @Test func theyTakeTimeInProportion() {
    let many = String(repeating: "a", count: 100_000)
    #expect(SearchQuery("a").ranges(in: many).count == 100_000)
    #expect(SearchQuery(String(repeating: "a", count: 1_000)).ranges(in: many).count == 100)
    let word = String(repeating: "a", count: 2_000) + "b"
    let text = String(repeating: String(repeating: "a", count: 4_000) + "b", count: 40)
    #expect(SearchQuery(word).ranges(in: text).count == 40)
  }
}
