import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Folders of Markdown that other programs have made.
struct MarkdownOfOthersTests {
  /// A note without dates gets the date of its file, and importing it again adds nothing.
  @Test func markdownOfOthers() throws {
    try FolderUnderTest.with(.real) { folder in
      let vault = folder.url("vault/Deep")
      try FileManager.default.createDirectory(at: vault, withIntermediateDirectories: true)
      try FileManager.default.createDirectory(at: folder.url("vault/.obsidian"), withIntermediateDirectories: true)
      try Data("Text".utf8).write(to: vault.appending(path: "Idea.md"))
      try Data("---\ntags: [a]\ncreated: 2014-01-02\n---\n# T".utf8).write(to: folder.url("vault/t.markdown"))
      try Data("x".utf8).write(to: folder.url("vault/.obsidian/x.md"))
      try FileManager.default.setAttributes([.modificationDate: Date.day(5)], ofItemAtPath: vault.path + "/Idea.md")
      var notebook = Notebook.empty()
      for round in 1...2 {
        let report = try notebook.importContent(try ForeignContent(folder: folder.url("vault"), as: .markdown))
        #expect(report.addedNotes == (round == 1 ? 2 : 0) && report.skipped == [])
      }
      #expect(notebook.notes.map(\.text) == ["# Idea\n\nText", "# T"])
      #expect(notebook.notes[1000]?.creationDate == .day(5))
      #expect(notebook.notes[1001]?.tags == ["a"])
    }
  }

  /// A note is as old as its front matter says, and was changed when its file was. A TextBundle is a note by the name
  /// of its folder.
  @Test func datesAndNamesOfOthers() throws {
    try FolderUnderTest.with(.real) { folder in
      let bundle = folder.url("vault/A trip.textbundle")
      try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
      let created = try #require(try? Vesper.date("2001-01-02T00:00:00Z"))
      for (name, text, file) in [
        ("created.md", "---\ncreated: 2001-01-02\n---\n# created", Date.day(5)),
        ("date.md", "---\ndate: 2001-01-02 00:00:00 +0000\nlayout: post\n---\n# date", .day(6)),
        ("first.md", "---\ndate: 1999-01-01\ncreated: 2001-01-02\n---\n# first", .day(7)),
        ("both.md", "---\ncreated: 2001-01-02\ndate: 1999-01-01\nmodified: 2001-01-02\n---\n# both", .day(7)),
        ("future.md", "---\ncreated: 2001-01-02\n---\n# future", created - 9),
        ("A trip.textbundle/text.md", "Packed the bags.", .day(8)),
      ] {
        let url = folder.url("vault/" + name)
        try Data(text.utf8).write(to: url)
        try FileManager.default.setAttributes([.modificationDate: file], ofItemAtPath: url.path)
      }
      var notebook = Notebook.empty()
      let content = try ForeignContent(folder: folder.url("vault"), as: .markdown)
      for round in 1...2 {
        let report = try notebook.importContent(content)
        #expect(report.addedNotes == (round == 1 ? 6 : 0) && report.skipped == [])
      }
      func note(_ text: String) throws -> Note { try #require(notebook.notes.first { $0.text == text }) }
      #expect(try note("# created").creationDate == created && note("# created").modificationDate == .day(5))
      let date = "---\nlayout: post\n---\n# date"
      #expect(try note(date).creationDate == created && note(date).modificationDate == .day(6))
      let both = "---\ndate: 1999-01-01\n---\n# both"
      #expect(try note(both).creationDate == created && note(both).modificationDate == created)
      #expect(try note("---\ndate: 1999-01-01\n---\n# first").creationDate == created)
      #expect(try note("# future").modificationDate == created)
      let trip = try note("# A trip\n\nPacked the bags.")
      #expect(trip.creationDate == .day(8) && trip.modificationDate == .day(8))
    }
  }

  // MARK: TOML

  private func read(_ text: String) -> ForeignNote { MarkdownNoteFile.note(in: text, place: "x.md") }

  /// Hugo and Zola write front matter in TOML. What is not the library's stays in the text.
  @Test func frontMatterInTOML() {
    let note = read(
      """
      +++
      title = 'A "trip"'   # mine
      date = 2014-01-02T03:04:05+01:00
      draft = false

      tags = [
        "a", 'b',
        # a comment, is no tag
      ]
      +++

      Text
      """)
    #expect(note.creationDate == (try? Vesper.date("2014-01-02T02:04:05Z")))
    #expect(note.tagNames == ["a", "b"])
    #expect(note.text == "+++\ndraft = false\n\n+++\n# A \"trip\"\n\n\nText")
    #expect(read("+++\ntags = ['a#b', \"c\\\"#d\"]#no space\n+++\nx").tagNames == ["a#b", "c\"#d"])
    let quoted = read("+++\na = \"\"\"He said \"hi\"\"\"\"\ntags = ['x']\n+++\ny")
    #expect(quoted.tagNames == ["x"] && quoted.text == "+++\na = \"\"\"He said \"hi\"\"\"\"\n+++\ny")
    let plain = read("+++\r\ntags = [\"a\",\r\n  'b,c'\r\n]\r\ntitle=\"T\"\r\n+++\r\nText")
    #expect(plain.tagNames == ["a", "b,c"] && plain.text == "# T\n\nText")
  }

  @Test(arguments: [
    "+++\ntext\n+++\nx", "+++\ntags = [\n+++\nx", "+++\na = \"x\n+++\nx", "+++\na = ]\n+++\nx", "+++ x\n+++\nx",
    "+++\n",
    "+++\n= 1\n+++\nx", "+++\ntags = [\"a\"]\n---\nx",
  ]) func whatIsNoFrontMatterIsText(text: String) {
    #expect(read(text).text == text)
  }

  @Test(arguments: [
    "+++\n[params]\ntags = ['a']\nanything goes\n+++\nx", "+++\na = \"\"\"\n+++\ntags = ['a']\n\"\"\"\n+++\nx",
    "+++\n\"tags\" = ['a']\n+++\nx", "+++\nparams.tags = ['a']\n+++\nx", "+++\ntags = \"\"\"a\"\"\"\n+++\nx",
    "+++\ntags = { a = 1 }\n+++\nx", "+++\n# tags = ['a']\n+++\nx",
  ]) func keysThatAreNotTheLibrarysStay(text: String) {
    let note = read(text)
    #expect(note.text == text && note.tagNames == [])
  }

  /// A note whose text has such a block is exported with a block of its own before it, and comes back.
  @Test(arguments: ["+++\ndate = 2014-01-02\n+++\nx", "+++\ndraft = true\n+++\nx", "+++\ntags = ['a']\n+++"])
  func textsWithTOMLComeBack(text: String) {
    var note = NoteFile.note(text)
    note.tagNames = ["own"]
    let back = read(MarkdownNoteFile.text(of: note))
    #expect(back.text == text && back.tagNames == ["own"])
  }
}
