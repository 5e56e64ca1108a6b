import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// File names that are valid and distinct on every system.
struct NoteFileNamesTests {
  @Test func stems() {
    each([
      ("Groceries", "Groceries"), ("a/b:c\\d|e", "a-b-c-d-e"), ("What is \"X\"? <b>*", "What is X b"),
      ("..hidden", "hidden"),
      (". . a", "a"), ("end... ", "end"), ("a\u{0}b\tc\u{85}d", "a b c d"), ("", "Untitled"), ("...", "Untitled"),
      ("///", "---"),
      ("\u{202E}gpj.exe", "gpj.exe"), ("CON", "_CON"), ("con.txt", "_con.txt"), ("Nul .x", "_Nul .x"),
      ("COM1", "_COM1"),
      ("LPT²", "_LPT²"), ("COM10", "COM10"), ("CONSOLE", "CONSOLE"), ("👩‍👩‍👧 e\u{301}", "👩‍👩‍👧 e\u{301}"), ("\u{FFFF}a", "a"),
    ]) { (title: String, stem: String) in
      #expect(Array(NoteFileNames.stem(title).utf8) == Array(stem.utf8))
    }
  }

  @Test func namesThatSomeSystemTakesForOne() {
    each(["Ä", "A", "a\u{308}", "ä", "ÄÄ", "straße", "STRASSE", "ﬁx", "fix", "FIX", "a\u{200B}b", "ab", "Ab"]) {
      (title: String) in
      var names = NoteFileNames(fileExtension: "txt")
      let titles = ["Ä", "A", "STRASSE", "FIX", "AB", "ÄÄ"]
      for (id, title) in titles.enumerated() { #expect(names.name(title: title, id: Int64(id)) == title + ".txt") }
      #expect(names.name(title: title, id: 77) == title + " 77.txt")
      #expect(names.name(title: title, id: 77) == title + " 77 2.txt")
      #expect(names.name(title: title, id: 77) == title + " 77 3.txt")
    }
  }

  @Test func longNamesAreCut() {
    each([
      String(repeating: "a", count: 10_000), String(repeating: "é", count: 300), String(repeating: "👩‍👩‍👧", count: 90),
      "e" + String(repeating: "\u{301}", count: 500), String(repeating: "a. ", count: 200),
    ]) { (title: String) in
      var names = NoteFileNames(fileExtension: "txt")
      let first = names.name(title: title, id: .max)
      let second = names.name(title: title, id: .max)
      let third = names.name(title: title, id: .max)
      #expect(Set([first, second, third]).count == 3)
      for name in [first, second, third] {
        #expect(name.utf8.count <= 255 && name.utf8.count > 225)
        #expect(name.hasSuffix(".txt") && !name.hasSuffix("..txt") && !name.hasSuffix(" .txt"))
      }
      #expect(second.hasSuffix(" 9223372036854775807.txt"))
      // Whole characters, unless a single one is too long.
      if title.count > 1 { #expect(title.hasPrefix(first.dropLast(4))) }
    }
  }

  @Test func whatIsThereAlready() {
    var names = NoteFileNames(fileExtension: "md")
    names.reserve("mine.MD")
    #expect(names.name(title: "Mine", id: 5) == "Mine 5.md")
    #expect(names.name(title: "mine", id: 6) { $0 == "mine.md" } == "mine.md")
  }
}
