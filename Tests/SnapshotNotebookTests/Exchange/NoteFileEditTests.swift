import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// A note is exported, edited in one line of its text, and imported again. It has exactly the edited text.
struct NoteFileEditTests {
  /// Replacements of a line: texts that an importer could misread.
  private static let replacements = [
    "", "Edited", "# Edited", "#", "---", "--- ", "  indented", "- item", "x: y", "tags: [z]", "title: T", "id: 9",
    "archived: true", "pictures: []", "sorted: 2014-01-02", "Tags: z", "ID: 9", "Created: 2014-01-02T03:04:05Z", "[",
    "\"",
    "# What follows is part of the text.", "é", "\u{301}", "a\r",
  ]

  private static let texts =
    NoteFile.texts + [
      "Shopping\nmilk", "# Shopping\nmilk", "#Shopping\nmilk", "\n\nShopping", "---\nShopping\n---\n",
      "---\naliases: [x]\ncss: y\n---\n\n# Shopping\r\nmilk\r\n", "---\nx: y\n---\n---\nx: y\n---\n",
      "---\n# What follows is part of the text.\nx: y\n---\nText", "---\nx: y\nz: |\n  a\n\n  b\n---\nText",
      "Shopping\n\nTags: a\n\nmilk", "Shopping\n\nPicture: x.png\n\nTags: a\n\nCreated: Jun 12, 2014, 5:07 AM",
    ]

  @Test(arguments: NoteFolderFormat.allCases) func oneLine(format: NoteFolderFormat) throws {
    for text in Self.texts {
      var note = NoteFile.note(text)
      note.tagNames = ["Errands"]
      let file = Array(format.text(of: note).utf8)
      let bytes = Array(text.utf8)
      for line in Self.lines(of: bytes) {
        guard let offset = Self.offset(of: line, of: bytes, in: file, format) else { continue }
        for replacement in Proofs.share(of: Self.replacements, oneIn: 4) {
          var edited = bytes
          edited.replaceSubrange(line, with: replacement.utf8)
          var editedFile = file
          editedFile.replaceSubrange(offset..<offset + line.count, with: replacement.utf8)
          var expected = note
          expected.text = String(decoding: edited, as: UTF8.self)
          let path = "Active Notes/Some name.\(format.fileExtension)"
          let back = format.note(in: String(decoding: editedFile, as: UTF8.self), at: path)
          if back.bits == expected.bits { continue }
          Issue.record(
            "\(format): \(text.debugDescription) with \(replacement.debugDescription) is \(back.text.debugDescription)")
        }
      }
    }
  }

  /// The ranges of the lines without their line feeds.
  private static func lines(of bytes: [UInt8]) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = 0
    for end in 0...bytes.count where end == bytes.count || bytes[end] == UInt8(ascii: "\n") {
      lines.append(start..<end)
      start = end + 1
    }
    return lines
  }

  /// The place of a line of the text in the file; nil for the line that opens front matter, which text and file share.
  private static func offset(
    of line: Range<Int>, of text: [UInt8], in file: [UInt8], _ format: NoteFolderFormat
  ) -> Int? {
    if format == .vesper { return line.lowerBound }
    let common = zip(text.reversed(), file.reversed()).prefix { $0 == $1 }.count
    return line.lowerBound < text.count - common ? nil : line.lowerBound + file.count - text.count
  }

  /// From a store to a folder and back, byte by byte; only the text differs.
  @Test(arguments: NoteFolderFormat.allCases) func throughAFolder(format: NoteFolderFormat) throws {
    var notebook = Notebook.empty()
    let tag = notebook.tag(named: "Errands")
    let id = try notebook.addNote(text: "Shopping\nmilk", tags: [tag.id]).id
    let folder = InMemoryFileSystem(directories: ["/f"])
    _ = try notebook.export(toFolder: "/f/out", as: format, on: folder)
    let path = format == .vesper ? "/f/out/Active Notes/Shopping.txt" : "/f/out/Shopping.md"
    let file = String(decoding: try #require(folder[path]), as: UTF8.self)
    let edit = file.replacing("Shopping\nmilk", with: "Groceries\nmilk")
    #expect(edit != file)
    folder[path] = Array(edit.utf8)
    let before = try #require(notebook.notes[id])
    let content = try ForeignContent(folder: "/f/out", as: format, on: folder, limits: ReadLimits())
    let report = try notebook.importContent(content, options: ImportOptions(conflicts: .change))
    #expect(report.changedNotes == 1 && report.addedNotes == 0)
    let after = try #require(notebook.notes[id])
    #expect(after.text == "Groceries\nmilk")
    #expect(after.tags == before.tags && after.sortDate == before.sortDate && after.archived == before.archived)
    #expect(notebook.allViolations() == [])
    let remarks =
      format == .vesper
      ? [] : ["“Shopping”, the title in Shopping.md, differs from the title of its text; the text is used"]
    #expect(report.remarks == remarks)
  }
}
