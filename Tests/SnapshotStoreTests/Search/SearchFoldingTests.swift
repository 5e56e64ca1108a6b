import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Differences that a search ignores.
struct SearchFoldingTests {
  private func folded(_ text: String) -> String { String(decoding: SearchFolding.folded(text), as: UTF8.self) }

  @Test func whatIsFolded() {
    each([
      ("", ""), ("Hello, WORLD [@`{]", "hello, world [@`{]"),
      ("ABCDEFGHIJKLMNOPQRSTUVWXYZ0189", "abcdefghijklmnopqrstuvwxyz0189"),
      ("CAFÉ cafe\u{301}", "cafe cafe"), ("Ångström \u{212B} \u{212A}", "angstrom a k"),
      ("Straße STRASSE ẞ", "strasse strasse ss"),
      ("ﬁ ﬃ ŉ ǆ ǅ", "fi ffi ʼn ǆ ǆ"), ("İstanbul IŞIK ışık", "istanbul isik isik"), ("ΣΑΣ σας ΐ ᾳ", "σασ σασ ι α"),
      ("Ёлка Йод", "елка иод"), ("smørrebrød Łódź Œuvre", "smørrebrød łodz œuvre"),
      ("が か\u{3099} か", "か\u{3099} か\u{3099} か"),
      ("שָׁלוֹם", "שלום"), ("مُحَمَّد", "محمد"), ("กินข้าว กุ้ง", "กินข้าว กุ้ง"),
      ("soft\u{AD}hyphen zero\u{200B}width \u{FEFF}", "softhyphen zerowidth "),
      ("☕️ 1️⃣ 👩‍👩‍👧", "☕ 1 👩👩👧"), ("\u{301}", ""),
    ]) { (text: String, result: String) in
      #expect(folded(text).unicodeScalars.elementsEqual(result.unicodeScalars), "\(folded(text))")
    }
  }

  /// For texts without the intended differences (see `SearchFolding`).
  @Test(arguments: SeededGenerator.seeds(2)) func itAgreesWithFoundation(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let letters = Array("abcXYZ 09.-ßẞİﬁſςΣ" + "àÉñöŸǻộΐϋώЁйЇøŁæŒŉև日本語がパ한국🎉🇫🇷")
    for _ in 0..<300 {
      var text = String((0..<20).map { _ in letters.randomElement(using: &random) ?? "a" })
      if Bool.random(using: &random) { text = text.decomposedStringWithCanonicalMapping }
      let foundation = text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
      let expected = foundation.decomposedStringWithCanonicalMapping
      #expect(folded(text).unicodeScalars.elementsEqual(expected.unicodeScalars), "\(text), seed \(seed)")
    }
  }

  /// On Linux the kernel does not use Foundation for it. Foundation does not know the scalars of Unicode 16 yet.
  @Test func decompositionsAreThoseOfFoundation() {
    let quick: [Range<UInt32>] = [
      0xC0..<0x250, 0x340..<0x480, 0x900..<0xA60, 0x1E00..<0x2000, 0x2100..<0x2130, 0x3040..<0x3100, 0xAC00..<0xAC80,
      0xF900..<0xF980, 0xFB1D..<0xFB50, 0x11090..<0x110B0, 0x1D15E..<0x1D1C1, 0x2F800..<0x2F840,
    ]
    let scalars = (Proofs.areFull ? [0..<0x11_0000] : quick).joined().compactMap(Unicode.Scalar.init)
    let different = scalars.filter { $0.properties.age?.major ?? 0 < 16 }.filter { scalar in
      let expected = String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars
      return !CanonicalDecomposition.scalars(of: scalar).elementsEqual(expected)
    }
    #expect(scalars.count > 2_000 && different == [])
  }

  /// A text in any normal form folds alike, and a folded text folds to itself.
  @Test func everyScalar() {
    each([
      0x80..<0x600, 0x900..<0xA00, 0x1E00..<0x2200, 0x3040..<0x3100, 0xAC00..<0xAD00, 0xFB00..<0xFB50,
      0x10400..<0x10450,
    ]) { (range: Range<UInt32>) in
      for scalar in range.compactMap(Unicode.Scalar.init) {
        let text = "x\(Character(scalar))y"
        let bytes = SearchFolding.folded(text)
        #expect(bytes.count - 2 <= 4 * UTF8.width(scalar))
        #expect(SearchFolding.folded(text.decomposedStringWithCanonicalMapping) == bytes, "\(scalar.value)")
        #expect(SearchFolding.folded(text.precomposedStringWithCanonicalMapping) == bytes, "\(scalar.value)")
        #expect(SearchFolding.folded(String(decoding: bytes, as: UTF8.self)) == bytes, "\(scalar.value)")
      }
    }
  }
}
