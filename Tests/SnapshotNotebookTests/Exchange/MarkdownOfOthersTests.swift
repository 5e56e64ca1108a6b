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
}
