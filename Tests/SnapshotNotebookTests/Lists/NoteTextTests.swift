import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// The title found in UTF-8 equals the title found by characters.
@Suite struct NoteTextTests {
  private static let parts = [
    "a", "Title", " ", "  ", "\t", "\n", "\r\n", "\u{B}", "\u{85}", "\u{A0}", "\u{2028}", "\u{2003}", "\u{3000}",
    "\u{301}", "\u{200D}", "é", "ß", "“", "€", "😀", "👍🏽", "\u{1F3FD}", "🇫🇷", "👩‍👩‍👧", "한", "\u{FE0F}", "\u{FEFF}", "ʰ",
    "\u{2C6}", "\u{300}", "Ā", "Ω", "я", "\u{380}", "\u{47F}", "\u{483}", "—", "…", "\u{2027}", "\u{200B}", "\u{2010}",
    "東", "メ", "か", "\u{3099}", "\u{309A}", "\u{309B}", "\u{3040}", "\u{30FF}", "\u{4000}", "\u{9FFF}", "\u{600}",
  ]

  @Test func theTitleIsThatOfCharacters() {
    each(SeededGenerator.seeds(4)) { (seed: UInt64) in
      var generator = SeededGenerator(seed: seed)
      for _ in 0..<8_000 {
        let count = Int.random(in: 0...7, using: &generator)
        let text = (0..<count).map { _ in Self.parts.randomElement(using: &generator) ?? "" }.joined()
        let note = NoteText(text)
        let agrees = note.title.utf8.elementsEqual(note.generalTitle.utf8)
        #expect(agrees, "\(text.unicodeScalars.map { String($0.value, radix: 16) }), seed \(seed)")
      }
    }
  }

  @Test func everyPairOfParts() {
    for a in Self.parts {
      for b in Self.parts {
        for text in [a + b, "x" + a + b, a + "x" + b, a + b + "x", a + "\n" + b, "x " + a + b] {
          let note = NoteText(text)
          let agrees = note.title.utf8.elementsEqual(note.generalTitle.utf8)
          #expect(agrees, "\(text.unicodeScalars.map { String($0.value, radix: 16) })")
        }
      }
    }
  }

  /// Every character that the quick search may take for one that stands alone, at each end of a title.
  @Test func everyCharacterOfTheBasicPlane() {
    for value in UInt32(0x80)...0xFFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let character = String(Character(scalar))
      for text in [character + "x", "x" + character, "x " + character + " ", " " + character] {
        let note = NoteText(text)
        if !note.title.utf8.elementsEqual(note.generalTitle.utf8) { Issue.record("U+\(String(value, radix: 16))") }
      }
    }
  }

  @Test(arguments: [
    ("", ""), ("Title", ""), (" \n Title \n\n More\nand more \n", "More\nand more"), ("\n\n", ""),
    ("A\r\n\u{301}B ", "\u{301}B"),
    ("Title\u{2028}\u{3000}é\u{A0}", "é"),
  ])
  func whatFollowsTheTitle(text: String, remaining: String) {
    #expect(NoteText(text).remaining.utf8.elementsEqual(remaining.utf8))
  }

  @Test func whatFollowsTheTitleIsTruncatedWithIt() {
    let text = "Title\n" + String(repeating: "é", count: 600)
    #expect(NoteText(text).remaining == String(repeating: "é", count: 494))
    #expect(NoteText(String(repeating: "x", count: 499) + "\ny").remaining == "")
    #expect(NoteText(String(repeating: "x", count: 700) + "\ny").remaining == "")
  }

  @Test func truncationIsByCharacters() {
    for text in ["", "short", String(repeating: "é", count: 499), String(repeating: "👩‍👩‍👧", count: 600)] {
      #expect(NoteText(text).truncated == String(text.prefix(500)))
    }
  }
}
