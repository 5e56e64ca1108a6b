import Foundation

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Notes and records with very many parts: tags, attachments, keys, columns, levels.
extension ScalingInputs {
  static let parts: [Case] = [
    Case("a note with many tags and attachments", 50) { size in
      let notebook = try noteWithMuch(size)
      return {
        let json = try Array(SnapshotFile.encode(notebook, as: .json))
        _ = try SnapshotFile.decode(Notebook.self, from: json)
        _ = notebook.orphanedTags
        _ = notebook.orphanedAttachments
        _ = notebook.allViolations()
      }
    },
    Case("such a note in exchange", 50) { size in
      let notebook = try noteWithMuch(size)
      return {
        for content in [
          try ForeignContent(vesper: notebook.vesperJSON()), try ForeignContent(ndjson: notebook.ndjson()),
          try ForeignContent(csv: notebook.csv()),
        ] {
          var other = Notebook()
          try other.importContent(content)
          try other.importContent(content, options: ImportOptions(conflicts: .change))
        }
      }
    },
    Case("such a note as a file", 50) { size in
      var note = ForeignNote(id: 1, text: "T", tagNames: (0..<size).map { "Tag, \($0)" }, place: "")
      note.attachments = (0..<size).map { Attachment(id: "p\($0)", mimeType: "image/png", height: 1, width: $0) }
      let filled = note
      return { for format in NoteFolderFormat.allCases { _ = format.note(in: format.text(of: filled), at: "a/b.x") } }
    },
    Case("merging such notes by dates", 200) { size in
      let base = try noteWithMuch(size)
      var (a, b) = (base, base)
      try a.setTags(base.tags.ids.dropLast(size / 2).map { $0 }, of: 1000)
      try b.setTags(base.tags.ids.reversed().map { $0 }, of: 1000)
      try b.setAttachments([], of: 1000)
      let (ours, theirs) = (a, b)
      return {
        var notebook = ours
        try notebook.merge(SyncContent(theirs))
      }
    },
    Case("keys that no record has", 50) { size in
      let unknown = (0..<size).map { ",\"k\($0)\":\($0)" }.joined()
      let tables = (0..<size).map { ",\"t\($0)\":[]" }.joined()
      let bytes = bytes(
        "{\"snapshot\":{\"schema\":\"notebook\",\"version\":1},\"notes\":[{\"id\":1,\"text\":\"T\",\"archived\":false,"
          + "\"creationDate\":\"2014-01-02T03:04:05Z\",\"sortDate\":\"2014-01-02T03:04:05Z\","
          + "\"modificationDate\":\"2014-01-02T03:04:05Z\",\"tags\":[],\"attachments\":[]\(unknown)}]\(tables)}")
      return {
        _ = try SnapshotFile.decode(Notebook.self, from: bytes, options: ReadOptions(leavesOutUnknownKeys: true))
      }
    },
    Case("keys that no note of others has", 50) { size in
      let unknown = (0..<size).map { ",\"k\($0)\":\($0)" }.joined()
      let (line, sync) = (bytes("{\"text\":\"T\"\(unknown)}\n"), bytes("[{\"noteID\":1,\"text\":\"T\"\(unknown)}]"))
      return {
        _ = try ForeignContent(ndjson: line)
        _ = try ForeignContent(vesper: sync)
      }
    },
    Case("a table as CSV and JSON lines", 50) { size in
      let notes = try notebook(size).notes
      let (csv, ndjson) = (try notes.csv(), try notes.ndjson())
      return {
        _ = (try notes.csv(), try notes.ndjson())
        _ = (try Table<Note>.records(csv: csv), try Table<Note>.records(ndjson: ndjson))
      }
    },
    Case("columns of a table as CSV", 500) { size in
      let titles = bytes(
        (0..<size).map { "c\($0)" }.joined(separator: ",") + "\n" + String(repeating: ",", count: size - 1))
      return { _ = try? Table<Note>.records(csv: titles) }
    },
    Case("columns of CSV", 500) { size in
      let columns = (0..<size).map { ",c\($0)" }.joined()
      let bytes = bytes("text\(columns)\nT\(columns)\n")
      return { _ = try ForeignContent(csv: bytes) }
    },
    Case("depth", 100) { size in
      let deep = bytes("[" + String(repeating: "[", count: size / 4) + String(repeating: "]", count: size / 4) + "]")
      return { for _ in 0..<20 { _ = try? ForeignContent(vesper: deep) } }
    },
  ]
}
