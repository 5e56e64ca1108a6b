import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// The matches of a query in a text, and their places.
struct SearchQueryTests {
  @Test func whatMatches() {
    each([
      ("umbrella", "An UMBRELLA!", true), ("umb", "An umbrella", true), ("brel", "umbrella", true),
      ("umbrellas", "umbrella", false),
      ("red umbrella", "The umbrella is red", true), ("red umbrella", "The umbrella is blue", false),
      ("a a A", "a", true),
      ("cafe", "Zum Café", true), ("CAFÉ", "cafe", true), ("cafe\u{301}", "CAFÉ", true), ("strasse", "Straße", true),
      ("straße", "STRASSE", true),
      ("kelvin", "\u{212A}elvin", true), ("fin", "ﬁn", true), ("istanbul", "İSTANBUL", true),
      ("c++", "C++ and C", true),
      ("c++", "C and C+", false),
      ("red, umbrella", "Umbrella (red)", true), ("“Red”?", "red", true), ("...", "wait…", false),
      ("...", "wait...", true),
      ("C# c++,", "C++ or C#", true), ("#todo", "todo", false), ("don't", "I don't", true), ("東京", "私は東京にいる", true),
      ("하", "한국", true), ("か", "が", true),
      ("が", "か", false),
      ("\u{AD}hyphen", "soft hy\u{AD}phen", true), ("👩", "👩‍👩‍👧", true), ("привет", "ПРИВЕТ", true), ("ø", "o", false),
      ("", "anything", true), (" \n\t\u{3000}", "", true), ("\u{301}", "x", true), ("x", "", false),
      ("a\u{3000}b", "b a", true),
    ]) { (query: String, text: String, isMatch: Bool) in
      #expect(SearchQuery(query).matches(text) == isMatch)
      #expect(SearchQuery(query).firstMatch(in: text) != nil || !isMatch || SearchQuery(query).isEmpty)
    }
  }

  @Test func whereTheFirstMatchIs() {
    each([
      ("red umbrella", "An umbrella, red", "umbrella"), ("umb umbrella", "My UMBRELLA", "UMBRELLA"),
      ("cafe", "Zum Cafe\u{301} da", "Cafe\u{301}"),
      ("fi", "a ﬁsh", "ﬁ"), ("i", "a ﬁsh", "ﬁ"), ("hyphen", "a hy\u{AD}phen", "hy\u{AD}phen"), ("하", "한국", "한"),
      ("s", "Aß", "ß"), ("x", "yX", "X"),
    ]) { (query: String, text: String, match: String) throws in
      let range = try #require(SearchQuery(query).firstMatch(in: text))
      #expect(text[range].unicodeScalars.elementsEqual(match.unicodeScalars))
    }
  }

  @Test func whereNothingMatches() {
    #expect(SearchQuery("x").firstMatch(in: "abc") == nil)
    #expect(SearchQuery("x").firstMatch(in: "") == nil)
    #expect(SearchQuery(" ").firstMatch(in: "abc") == nil)
    #expect(SearchQuery(" ").isEmpty && !SearchQuery("a").isEmpty)
    #expect(SearchQuery("A  b a") == SearchQuery("b Á"))
  }

  /// Compared with Foundation's folding and a plain search for the words, in texts in which the two fold alike.
  @Test func itAgreesWithASlowSearch() {
    each(SeededGenerator.seeds(4)) { (seed: UInt64) in
      var random = SeededGenerator(seed: seed)
      let parts = [
        "a", "A", "b", "é", "E\u{301}", "e", "ß", "S", "ss", "İ", "i", "ﬁ", "f", "\u{212A}", "k", " ", " ", ".", "日",
        "が",
        "か\u{3099}", "🎉", "Ж", "ж", "ΐ", "ς", "ordinary words ",
      ]
      func text(_ length: ClosedRange<Int>) -> String {
        (0..<Int.random(in: length, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
      }
      func slow(_ text: String) -> [Unicode.Scalar] {
        let folded = text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
        return Array(folded.decomposedStringWithCanonicalMapping.unicodeScalars)
      }
      var found = 0
      for _ in 0..<3_000 {
        let (query, text) = (text(1...3), text(0...20))
        let folded = slow(text)
        let words = query.split(separator: " ").map { word in
          word.allSatisfy { $0 == "." } ? String(word) : word.trimmingCharacters(in: CharacterSet(charactersIn: "."))
        }
        let expected = words.allSatisfy { folded.firstRange(of: slow($0)) != nil }
        #expect(SearchQuery(query).matches(text) == expected, "\(query) in \(text), seed \(seed)")
        found += expected ? 1 : 0
      }
      #expect((300...2_700).contains(found))
    }
  }
}
