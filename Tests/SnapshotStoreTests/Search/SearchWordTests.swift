import Testing

@testable import SnapshotStore
@testable import TestSupport

/// A word is found where a plain search finds it.
struct SearchWordTests {
  private func offset(_ word: String, _ text: String) -> Int? {
    var text = text
    return text.withUTF8 { SearchWord(Array(word.utf8)).firstOffset(in: $0) }
  }

  @Test(arguments: SeededGenerator.seeds(3)) func itAgreesWithAPlainSearch(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for round in 0..<5_000 {
      // Few letters, so that there are many near matches; every second text in both cases.
      let letters = Array(round % 2 == 0 ? "ab" : "aAbé")
      let text = String(
        (0..<Int.random(in: 0...70, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" })
      let word = String(
        (0..<Int.random(in: 1...10, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" }
      ).lowercased()
      let haystack = Array(text.utf8).map { $0 == UInt8(ascii: "A") ? UInt8(ascii: "a") : $0 }
      let needle = Array(word.utf8)
      let expected = haystack.indices.first { haystack[$0...].starts(with: needle) }
      #expect(offset(word, text) == expected, "\(word) in \(text), seed \(seed)")
    }
  }

  @Test func placesAtTheEnds() {
    for length in [1, 2, 15, 16, 17, 18, 31, 32, 33, 47, 48, 64] {
      for wordLength in 1...length {
        let word = String(repeating: "x", count: wordLength - 1) + "y"
        let text = String(repeating: "x", count: length - 1)
        #expect(offset(word, text + "Y") == length - wordLength)
        #expect(offset(word, text + "z") == nil)
        #expect(offset(word, "y" + text) == (wordLength == 1 ? 0 : nil))
      }
    }
    #expect(offset("@[", "`{@[") == 2 && offset("`{", "@[`{") == 2 && offset("a", "") == nil)
  }

  /// Quadratic time would be minutes.
  @Test func theWorstWordTakesTimeInProportionToo() {
    let half = String(repeating: "a", count: 200_000)
    #expect(offset(half + "b" + half, half + half + half) == nil)
    #expect(offset(half + "b", half + half + "B") == 200_000)
    #expect(offset("b" + half, half + "B" + half + half) == 200_000)
    #expect(offset(String(repeating: "ab", count: 100_000) + "c", String(repeating: "aB", count: 300_000)) == nil)
  }
}
