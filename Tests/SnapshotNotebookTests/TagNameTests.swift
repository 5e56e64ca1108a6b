import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Whether two spellings are one name.
struct TagNameTests {
  @Test func spellingAndID() {
    each([
      ("Paris", "Paris", "paris"),
      ("  New \t\n York ", "New York", "new york"),
      ("\u{3000}Tokyo\u{A0}2020\u{2028}", "Tokyo 2020", "tokyo 2020"),
      ("ÉCOLE", "ÉCOLE", "école"),
      ("E\u{301}COLE", "E\u{301}COLE", "\u{E9}cole"),
      ("STRASSE", "STRASSE", "strasse"),
      ("Straße", "Straße", "straße"),
      ("ΟΔΥΣΣΕΥΣ", "ΟΔΥΣΣΕΥΣ", "οδυσσευσ"),
      ("I", "I", "i"),
      ("ı", "ı", "ı"),
      ("👩‍👩‍👧 Family", "👩‍👩‍👧 Family", "👩‍👩‍👧 family"),
      ("a\u{200B}b", "a\u{200B}b", "a\u{200B}b"),
    ]) { (text: String, spelling: String, id: String) in
      let name = TagName(text)
      #expect(name.map { scalars($0.spelling) } == scalars(spelling))
      #expect(name.map { scalars($0.id) } == scalars(id))
    }
  }

  @Test func whiteSpaceAloneIsNoName() {
    each(["", " ", "\t\r\n", "\u{3000}\u{A0}\u{2009}", "\u{85}\u{2028}\u{2029}"]) { (text: String) in
      #expect(TagName(text) == nil)
    }
  }

  /// The dotted capital I of Turkish is a letter of its own in every locale, and its lower case must be stable.
  @Test func theTurkishDottedI() throws {
    for text in ["\u{130}", "I\u{307}", "i\u{307}"] {
      #expect(TagName(text).map { scalars($0.id) } == [0x69, 0x307])
    }
    #expect(TagName("İstanbul")?.id == TagName("i\u{307}stanbul")?.id)
    #expect(TagName("İstanbul")?.id != TagName("Istanbul")?.id)
    #expect(TagName("\u{1E2}\u{304}\u{130}\u{323}").map { isStable($0.id) } == true)
  }

  /// Characters that case or normalisation affect, by their blocks. Other characters, such as ideographs, are included
  /// only where a block has few of them.
  static let blocks: [ClosedRange<UInt32>] = [
    0...0x1FFF, 0x2000...0x33FF, 0xA000...0xAC40, 0xD700...0xD7FF, 0xE000...0xFFFF, 0x10000...0x16FFF,
    0x1B000...0x1FFFF,
  ]

  /// An id is the id of itself, for every character, alone and among others. Otherwise a tag could not be found by its
  /// own id, and a file would count as damaged.
  @Test func everyCharacterIsStable() {
    each(Self.blocks) { (block: ClosedRange<UInt32>) in
      var unstable: [String] = []
      let scalars = block.compactMap(Unicode.Scalar.init).filter(\.isOfInterest)
      for scalar in Proofs.share(of: scalars, oneIn: 12) {
        let texts = [
          "\(scalar)", "A\(scalar)", "\(scalar)\u{301}Z", "İ\(scalar)", "가\(scalar)", " \(scalar)  \(scalar)",
        ]
        for text in texts {
          guard let name = TagName(text) else { continue }
          if !isStable(name.id) || !isStable(name.spelling, as: name.id) { unstable.append(codes(text)) }
          if !isStable(text.decomposedStringWithCanonicalMapping, as: name.id) {
            unstable.append("decomposed \(codes(text))")
          }
        }
      }
      #expect(unstable == [])
    }
  }

  /// Letters with many accents, in any order and normalisation.
  @Test func randomNamesAreStable() {
    each(SeededGenerator.seeds(10)) { (seed: UInt64) in
      var random = SeededGenerator(seed: seed)
      let letters: [Unicode.Scalar] = ["A", "I", "\u{130}", "ı", "Σ", "ς", "Ǆ", "ǅ", "ᾈ", "Ω", "Å", "ẞ", "K", " ", "가"]
      let marks: [Unicode.Scalar] = [
        "\u{301}", "\u{307}", "\u{323}", "\u{328}", "\u{345}", "\u{30C}", "\u{11A8}", "\u{5B0}",
      ]
      var unstable: [String] = []
      for _ in 0..<500 {
        var text = ""
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          text.unicodeScalars.append(letters.randomElement(using: &random) ?? "A")
          for _ in 0..<Int.random(in: 0...3, using: &random) {
            text.unicodeScalars.append(marks.randomElement(using: &random) ?? "\u{301}")
          }
        }
        guard let name = TagName(text) else { continue }
        let forms = [name.id, text.precomposedStringWithCanonicalMapping, text.decomposedStringWithCanonicalMapping]
        unstable += forms.filter { !isStable($0, as: name.id) }.map(codes)
      }
      #expect(unstable == [])
    }
  }

  /// Foundation does not compose a Hangul syllable with the final consonant that follows it. It also does not sort
  /// marks that only decomposition produces.
  @Test func idsAreComposed() {
    each([
      ("\u{AC00}\u{11A8}", "\u{AC01}"), ("\u{1100}\u{1161}\u{11A8}", "\u{AC01}"),
      ("i\u{307}\u{F73}", "i\u{F71}\u{F72}\u{307}"), ("\u{10400}\u{301}", "\u{10428}\u{301}"),
    ]) { (text: String, id: String) in
      #expect(TagName(text).map { scalars($0.id) } == scalars(id))
    }
  }

  /// With an accent, Foundation takes a letter beyond U+FFFF for the one with the same lower sixteen bits.
  @Test func accentsMakeNoOtherLetter() {
    #expect(TagName("\u{10041}\u{301}").map { scalars($0.id) } == [0x10041, 0x301])
    #expect(TagName("\u{10041}\u{301}")?.id != TagName("\u{C1}")?.id)
  }

  private func isStable(_ text: String, as id: String? = nil) -> Bool {
    TagName(text)?.id.utf8.elementsEqual((id ?? text).utf8) == true
  }
}

private func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

private func codes(_ text: String) -> String {
  scalars(text).map { String($0, radix: 16) }.joined(separator: " ")
}

extension Unicode.Scalar {
  /// Whether the character is assigned, and lower case or normalisation could affect it or its neighbours.
  fileprivate var isOfInterest: Bool {
    switch properties.generalCategory {
    case .unassigned, .privateUse, .surrogate: false
    default: value < 0x3000 || properties.isAlphabetic || properties.canonicalCombiningClass != .notReordered
    }
  }
}
