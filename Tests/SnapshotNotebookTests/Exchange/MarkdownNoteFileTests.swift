import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Markdown files with front matter.
struct MarkdownNoteFileTests {
  private func read(_ text: String, name: String? = nil) -> ForeignNote {
    MarkdownNoteFile.note(in: text, place: "x.md", name: name)
  }

  @Test func whatIsWritten() {
    var note = NoteFile.note("# A title: b\n\nText")
    note.tagNames = ["Paris", "New York", "#x", "true", "1984"]
    note.attachments = [NoteFile.attachments[0]]
    note.archived = true
    #expect(
      MarkdownNoteFile.text(of: note) == """
        ---
        title: "A title: b"
        id: 1607864771815195
        tags: [Paris, New York, "##x", "true", "1984"]
        created: 2020-01-01T00:00:00Z
        modified: 2020-01-02T00:00:00Z
        archived: true
        pictures: ["photo.jpg"]
        ---

        # A title: b

        Text
        """)
  }

  /// Other keys stay in the text, and the library's keys go into its first block.
  @Test func otherKeys() {
    let file = """
      ---
      # made by hand
      aliases:
        - one
        - two
      tags: [a]   # mine
      cssclass: "wide"
      created: 2014-01-02
      ---
      Text
      """
    var note = read(file)
    let text = "---\n# made by hand\naliases:\n  - one\n  - two\ncssclass: \"wide\"\n---\nText"
    #expect(note.text == text)
    #expect(note.tagNames == ["a"])
    #expect(note.creationDate == (try? Vesper.date("2014-01-02T00:00:00Z")))
    #expect(NoteText(note.text).title == "Text")
    note.id = 7
    let written = MarkdownNoteFile.text(of: note)
    #expect(
      written.hasPrefix(
        "---\ntitle: Text\nid: 7\ntags: [a]\ncreated: 2014-01-02T00:00:00Z\narchived: false\n"
          + "# What follows is part of the text.\n# made by")
    )
    #expect(written.hasSuffix("cssclass: \"wide\"\n---\nText"))
    #expect(written.components(separatedBy: "---\n").count == 3)
    #expect(read(written).text == text)
  }

  @Test func tags() {
    each([
      ("tags: [a, b]", ["a", "b"]), ("tags: []", []), ("tags:", []), ("tags: a", ["a"]),
      ("tags: a, New York", ["a", "New York"]),
      ("tags:\n- a\n- b", ["a", "b"]),
      ("tags:\n  - a\n  # no\n\n  - 'it''s'\n  - \"x\\ty\\u00e9\"", ["a", "it's", "x\tyé"]),
      ("tags: ['a, b', \"c]\", d]", ["a, b", "c]", "d"]), ("tags: [#a, \"#b\", c]", ["a", "b", "c"]),
      ("tags:\n- #a\n- ##b", ["a", "#b"]),
      ("tags: [a,] # comment", ["a"]), ("tags: # comment\n- a # comment", ["a"]), ("tags: \"a, b\"", ["a, b"]),
      ("tags: [ a ,b ]\r", ["a", "b"]),
      ("tags: # comment", []), ("tags: #a", ["a"]), ("tags: [a/b, über]", ["a/b", "über"]),
    ]) { (line: String, names: [String]) in
      let note = read("---\n\(line)\n---\nText")
      #expect(note.text == "Text")
      #expect(note.tagNames == names && note.givesTags)
    }
  }

  /// Unreadable content stays in the text.
  @Test func whatCannotBeReadIsText() {
    each([
      "tags: [a", "tags: [a, [b]]", "tags: {a: b}", "tags: [a] b", "tags: &x [a]", "tags: |\n  a", "tags:\n  a",
      "tags:\n  - a: b",
      "tags: \"a", "tags: \"\\q\"", "tags: [\"\"]", "tags: [a,\n  b]", "tags: a\n  b", "id: x", "id: 05",
      "id: -1", "id: 1.5",
      "id: 99999999999999999999", "created: yesterday", "created: 2014-02-30", "created:", "created: 2014",
      "archived: maybe",
      "archived: \"true\"", "archived: []", "title: \"a\\nb\"", "title: \"\"", "title:\n- a", "Tags: [a]", "tags : [a]",
      "pictures: [\"a, b\"]",
    ]) { (line: String) in
      let text = "---\n\(line)\n---\nText"
      let note = read(text)
      #expect(note.text == text)
      #expect(
        note.tagNames == [] && !note.givesTags && note.id == nil && note.creationDate == nil && note.archived == nil)
    }
  }

  @Test func aKeyThatStandsTwice() {
    let note = read("---\ntags: [a]\ntags: [b]\n---\nText")
    #expect(note.tagNames == ["a"])
    #expect(note.text == "---\ntags: [b]\n---\nText")
  }

  @Test func dates() {
    each([
      ("2014-01-02", "2014-01-02T00:00:00Z"), ("2014-01-02 03:04", "2014-01-02T03:04:00Z"),
      ("2014-01-02T03:04:05", "2014-01-02T03:04:05Z"),
      ("2014-01-02 03:04:05 +0130", "2014-01-02T01:34:05Z"),
      ("\"2014-01-02T03:04:05.5+01:00\"", "2014-01-02T02:04:05.5Z"),
      ("2014-01-02T03:04-02", "2014-01-02T05:04:00Z"),
    ]) { (text: String, date: String) throws in
      let note = read("---\nmodified: \(text)\n---\n")
      #expect(note.modificationDate == (try Vesper.date(date)))
      #expect(note.text == "")
    }
  }

  // MARK: Titles

  @Test(arguments: [
    ("---\ntitle: A\n---\nA\nText", "A\nText"), ("---\ntitle: A\n---\n# A\nText", "# A\nText"),
    ("---\ntitle: A\n---\nText", "# A\n\nText"),
    ("---\ntitle: A\n---\n", "# A"), ("---\ntitle: A\nx: y\n---", "---\nx: y\n---\n# A"),
    ("---\r\ntitle: A\r\n---\r\n\r\nB", "# A\n\nB"), ("---\ntitle: A\nx: y\n---\nText", "---\nx: y\n---\n# A\n\nText"),
    ("---\ntitle: A: b # c\n---\nText", "# A: b\n\nText"), ("---\ntitle: A\n---\n\nText", "# A\n\nText"),
  ])
  func aTitleBecomesTheFirstLine(file: String, text: String) {
    #expect(read(file, name: "name").text == text)
  }

  /// Obsidian uses the name of the file as the only title.
  @Test func theNameOfTheFile() {
    each([
      ("Text", "My idea", "# My idea\n\nText"), ("My idea", "my-idea", "My idea"),
      ("# Other\nText", "My idea", "# Other\nText"),
      ("", "My idea", "# My idea"), ("What is X?", "What is X", "What is X?"),
      ("---\nx: y\n---\nText", "n", "---\nx: y\n---\n# n\n\nText"),
      ("A very long first line of a note, cut", "A very long first line of a", "A very long first line of a note, cut"),
      ("apple", "a", "# a\n\napple"), ("Text", "…", "Text"), ("---\nid: 7\n---\nText", "n", "Text"),
    ]) { (file: String, name: String, text: String) in
      #expect(read(file, name: name).text == text)
    }
  }

  @Test(arguments: [
    ("---\nx: y\n---\n\nTitle\n", "Title"), ("---\nx: y\n---", ""), ("---\nnot yaml\n---\nTitle", "---"),
    ("---\nx: y\nTitle", "---"),
    ("---\r\nx: y\r\n---\r\nTitle", "Title"), ("---", "---"), ("--- a", "--- a"),
    ("---\nx: y\n---\n---\nx: y\n---\nT", "---"),
  ])
  func theTitleOfANotePassesOverFrontMatter(text: String, title: String) {
    #expect(Note(id: 1, text: text, creationDate: .day(1)).title == title)
  }
}
