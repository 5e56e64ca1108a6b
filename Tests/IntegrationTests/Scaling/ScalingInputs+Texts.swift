import Foundation

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

extension ScalingInputs {
  /// Pieces of texts; each could be slow in its own way.
  private static let pieces = [
    "word ", "é", "\u{301}\u{323}", "日", "🎈", "\n", "\r\n", "\"", "\\", "\u{1}", "<&>", "http://a.b/", "a.", "---\n",
    "# ",
    "key: value\n", "- item\n", "Tags: a\n\n", " ", "[", "(", "'", "=", ",", "https://✪.", "Created: 1\n",
  ]

  static let texts: [Case] = pieces.flatMap { piece in
    let name = piece.debugDescription
    return [
      Case("a text of \(name), in a notebook", 200) { size in
        let text = String(repeating: piece, count: size)
        return {
          var notebook = Notebook()
          let note = try notebook.addNote(text: text)
          _ = (note.title, note.links)
          _ = notebook.search(String(text.prefix(20)))
          _ = notebook.search("aaaa")
          _ = notebook.timeline(.all, limit: 1)
          try notebook.setText(text + "x", of: note.id)
          _ = try ModelDifference(from: notebook, to: Notebook()).lines
        }
      },
      Case("a text of \(name), in files", 200) { size in
        let note = ForeignNote(id: 1, text: String(repeating: piece, count: size), place: "")
        return {
          var notebook = Notebook()
          try notebook.importContent(ForeignContent(notes: [note]))
          for format in FileFormat.allCases {
            let bytes = try Array(SnapshotFile.encode(notebook, as: format))
            _ = try SnapshotFile.decode(Notebook.self, from: bytes)
          }
          _ = try ForeignContent(csv: notebook.csv())
          _ = try ForeignContent(ndjson: notebook.ndjson())
          _ = try ForeignContent(vesper: notebook.vesperJSON())
        }
      },
      Case("a text of \(name), as a file", 200) { size in
        let text = String(repeating: piece, count: size)
        var note = ForeignNote(id: 1, text: text, place: "")
        note.creationDate = .day(1)
        let filled = note
        return {
          for format in NoteFolderFormat.allCases {
            _ = format.note(in: format.text(of: filled), at: "Active Notes/b.x")
            _ = format.note(in: text, at: "Active Notes/b.x")
            _ = format.note(in: "---\n" + text + "\n---\n", at: "Active Notes/b.x")
            _ = format.note(in: "A\n\nTags: " + text + "\n\nCreated: " + text, at: "Active Notes/b.x")
          }
        }
      },
    ]
  }

  static let names: [Case] =
    ["a", "é", "\u{301}\u{323}", "\u{344}", "\u{1161}", "\u{9C7}\u{9BE}", "가", "🎈", "É ", "日", "a "].flatMap { piece in
      let name = piece.debugDescription
      return [
        Case("a tag of \(name)", 1_000) { size in
          let tag = "x" + String(repeating: piece, count: size)
          return {
            var notebook = Notebook()
            let id = notebook.tag(named: tag).id
            try notebook.addNote(text: "T", tags: [id])
            _ = notebook.notes(tagged: tag)
            _ = notebook.sidebarTags
          }
        },
        Case("suggestions for \(name)", 1_000) { size in
          var notebook = Notebook()
          _ = notebook.tag(named: "x" + String(repeating: piece, count: size) + "y")
          let typed = String(repeating: piece, count: size / 2) + "y"
          let filled = notebook
          return { _ = filled.tagSuggestions(for: typed, limit: 10) }
        },
        Case("a query of \(name)", 1_000) { size in
          var notebook = Notebook()
          try notebook.addNote(text: String(repeating: piece, count: size))
          let query = String(repeating: piece, count: size / 2) + "b"
          let filled = notebook
          return { _ = filled.search(query) }
        },
        Case("places of \(name)", 1_000) { size in
          let text = String(repeating: piece, count: size)
          let queries = [SearchQuery(piece), SearchQuery(String(text.prefix(size / 8))), SearchQuery(text + "b")]
          return { for query in queries { _ = query.ranges(in: text) } }
        },
        Case("the name of a file of \(name)", 1_000) { size in
          let title = String(repeating: piece, count: size)
          return {
            var names = NoteFileNames(fileExtension: "md")
            _ = names.name(title: title, id: 1)
            _ = VesperExportNames.id(in: title, of: title[...])
            _ = NoteFileDate.date(title)
            _ = LocalizedDate(title).readings
            _ = ForeignDate.date(title)
          }
        },
      ]
    } + [
      Case("a query of many words", 50) { size in
        var notebook = Notebook()
        try notebook.addNote(text: "some text")
        let (filled, query) = (notebook, (0..<size).map { "word\($0)" }.joined(separator: " "))
        return { _ = filled.search(query) }
      }
    ]

  static let files: [Case] =
    NoteFolderFormat.allCases.flatMap { format in
      [
        Case("a \(format) folder of many notes", 25) { size in
          let notebook = try notebook(size) { _ in "The same title" }
          return {
            let folder = InMemoryFileSystem(directories: ["/f"])
            _ = try notebook.export(toFolder: "/f/out", as: format, on: folder)
            var other = Notebook()
            let content = try ForeignContent(folder: "/f/out", as: format, on: folder, limits: ReadLimits())
            try other.importContent(content)
          }
        }
      ]
    } + [
      Case("dates that cannot be read", 25) { size in
        let notes = (0..<size).map { index in
          var note = ForeignNote(text: "", place: "\(index)")
          note.warnings = [.date("x"), .title("y")]
          return note
        }
        return { _ = ForeignContent.remarks(on: notes) }
      },
      Case("pictures of one name", 50) { size in
        let paths = (0..<size).map { "Active Notes/Pictures/p\($0).png" }
        return {
          var pictures = FolderPictures(paths)
          for path in paths {
            _ = pictures.names(beside: "Active Notes/a.txt").contains(path)
            _ = pictures.find(
              Attachment(id: "p1", mimeType: "image/png", height: 0, width: 0), of: "Active Notes/a.txt")
          }
        }
      },
    ]
}
