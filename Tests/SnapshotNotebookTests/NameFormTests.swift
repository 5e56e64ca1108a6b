import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// The normal form of names.
struct NameFormTests {
  /// Letters, marks and vowels that compose, reorder or decompose, and some without an effect.
  private static let scalars: [Unicode.Scalar] = [
    "a", "e", "\u{301}", "\u{323}", "\u{308}", "\u{344}", "\u{F73}", "\u{9C7}", "\u{9BE}", "\u{1100}", "\u{1161}",
    "\u{11A8}", "\u{AC00}", "\u{AC01}", "\u{334}", "é", "ệ", "日", "🎈", "\u{110BA}", "\u{1109A}", "\u{1D15E}", "\u{F71}",
    "\u{F72}", "\u{212B}", "\u{2ADC}", "\u{FB1D}", "\u{5B7}", "\u{5B4}", "\u{345}", "\u{3B1}", "\u{102E}", "\u{1025}",
    " ",
    "\0", "\u{5D9}", "ﬁ", "\u{CC6}", "\u{CC2}", "\u{CD5}",
  ]

  /// Both ways give the same result.
  @Test func shortAndLongPieces() {
    each(SeededGenerator.seeds(5)) { (seed: UInt64) in
      var random = SeededGenerator(seed: seed)
      for _ in 0..<1_000 {
        let count = Int.random(in: 0...10, using: &random)
        let piece = (0..<count).map { _ in Self.scalars.randomElement(using: &random) ?? "a" }
        let (short, long) = (NameForm.short(piece), NameForm.long(piece))
        if short != long { Issue.record("seed \(seed): \(piece.map { String($0.value, radix: 16) })") }
      }
    }
  }

  /// The place of a cut makes no difference.
  @Test func cuts() {
    each(SeededGenerator.seeds(5)) { (seed: UInt64) in
      var random = SeededGenerator(seed: seed)
      for _ in 0..<10 {
        let count = Int.random(in: 100...800, using: &random)
        let piece = (0..<count).map { _ in Self.scalars.randomElement(using: &random) ?? "a" }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: piece)
        #expect(Array(NameForm.composed(String(text)).unicodeScalars) == NameForm.long(piece), "seed \(seed)")
      }
    }
  }

  @Test func longRunsWithoutACut() {
    let marks = String(repeating: "\u{301}\u{323}", count: 1_000)
    let sorted = String(repeating: "\u{323}", count: 999) + String(repeating: "\u{301}", count: 1_000)
    #expect(NameForm.composed("a" + marks).unicodeScalars.elementsEqual(("\u{1EA1}" + sorted).unicodeScalars))
    #expect(NameForm.composed("") == "" && NameForm.composed("plain") == "plain")
  }
}
