import Foundation

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// The growing inputs of the scaling tests.
enum ScalingInputs {
  typealias Case = ScalingTests.Case

  // MARK: Notebooks

  /// Short notes, each with one of ten tags.
  static func notebook(_ count: Int, text: (Int) -> String = { "Note \($0)\nwith a few words" }) throws -> Notebook {
    var content = ForeignContent()
    content.notes = (0..<count).map { index in
      ForeignNote(
        id: Note.ID(1_000 + index), text: text(index), creationDate: .day(index % 3_000),
        tagNames: ["Tag \(index % 10)"],
        place: "")
    }
    var notebook = Notebook.empty()
    try notebook.importContent(content)
    return notebook
  }

  /// One note with this number of tags and attachments.
  static func noteWithMuch(_ count: Int) throws -> Notebook {
    var notebook = Notebook.empty()
    for index in 0..<count {
      try notebook.add(Attachment(id: "p\(index)", mimeType: "image/png", height: 1, width: 1))
      _ = notebook.tag(named: "Tag \(index)")
    }
    try notebook.addNote(
      text: "Much", tags: notebook.tags.ids.map { $0 }, attachments: notebook.attachments.ids.map { $0 })
    return notebook
  }

  static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// Chooses every other record.
  private struct EvenIDs: RecordFold {
    var count = 0

    mutating func add(_ record: UntypedValue) -> Bool {
      count += 1
      return count % 2 == 0
    }

    mutating func append(_ next: EvenIDs) { count += next.count }
  }

  /// Tables of two records each, in turn as far as the format allows it. The header names the key of their ids.
  private static func tables(_ count: Int, as format: FileFormat) throws -> [UInt8] {
    let names = (0..<count).map { "table \($0)" }
    let keys = names.map { "\"\($0)\":\"key\"" }.joined(separator: ",")
    let header = #"{"snapshot":{"schema":"x","version":1,"ids":{\#(keys)}}}"#
    let lines = (names + names).enumerated().map { #"{"table":"\#($1)","record":{"key":\#($0)}}"# }
    let text = ([header] + lines).joined(separator: "\n")
    if format == .ndjson { return bytes(text) }
    return try SnapshotFile.encode(SnapshotFile.decodeContent(UntypedModel.self, from: bytes(text)), as: format)
  }

  /// Repeated content of a file, each the beginning of something.
  private static func repeated(_ format: FileFormat) -> [UInt8] {
    switch format {
    case .json: bytes("{\"a\":\n{},")
    case .ndjson: bytes("{\"table\":\"notes\",\"record\":\n{}\n")
    case .xml: bytes("<dict><key>a</key>\n<dict/>")
    case .binary: [0xD0, 0x50, 0x08]
    }
  }

  static let notes: [Case] =
    FileFormat.allCases.flatMap { format in
      [
        Case("encoding as \(format)", 50) { size in
          let notebook = try notebook(size)
          return { _ = try SnapshotFile.encode(notebook, as: format) }
        },
        Case("decoding \(format)", 50) { size in
          let bytes = try Array(SnapshotFile.encode(try notebook(size), as: format))
          return { _ = try SnapshotFile.decode(Notebook.self, from: bytes) }
        },
        Case("folding \(format)", 50) { size in
          let bytes = try Array(SnapshotFile.encode(try notebook(size), as: format))
          return {
            _ = try SnapshotFile.decodeRecords(from: bytes, options: ReadOptions(threads: 1)) { _ in EvenIDs() }
          }
        },
        Case("ids of many tables as \(format)", 100) { size in
          let bytes = try tables(size, as: format)
          return {
            let found = try SnapshotFile.decodeRecords(from: bytes, options: ReadOptions(threads: 1)) { _ in EvenIDs() }
            _ = try SnapshotFile.encode(found.content, as: format)
          }
        },
        Case("salvaging \(format)", 50) { size in
          var bytes = try Array(SnapshotFile.encode(try notebook(size), as: format))
          let quarter = bytes.count / 4
          // The end of a binary list has the offsets, without which nothing is found.
          if format == .binary {
            bytes.replaceSubrange(quarter..<2 * quarter, with: Array(repeating: 0, count: quarter))
          } else {
            bytes.removeLast(quarter)
          }
          return { _ = try Salvaged<Notebook>(of: bytes) }
        },
        Case("salvaging \(format) with a hole", 1_000) { size in
          var bytes = try Array(SnapshotFile.encode(try notebook(10), as: format))
          let half = bytes.count / 2
          bytes.replaceSubrange(half..<half, with: Array(repeating: 0, count: 100 * size))
          return { _ = try? Salvaged<Notebook>(of: bytes) }
        },
        Case("salvaging \(format) that repeats itself", 1_000) { size in
          let whole = try notebook(10)
          let bytes =
            format == .binary ? try binaryObjects(whole) : try SnapshotFile.encode(whole, as: format).dropLast(40)
          let damaged = bytes + Array(repeating: repeated(format), count: size).joined()
          return { _ = try? Salvaged<Notebook>(of: Array(damaged)) }
        },
      ]
    } + [
      Case("importing notes without ids", 50) { size in
        let content = ForeignContent(notes: (0..<size).map { ForeignNote(text: "Note \($0)", place: "") })
        return {
          var notebook = Notebook()
          try notebook.importContent(content)
        }
      },
      Case("importing notes a second time", 50) { size in
        let before = try notebook(size)
        let content = try ForeignContent(csv: before.csv())
        return {
          var notebook = before
          try notebook.importContent(content)
        }
      },
      Case("importing equal notes", 50) { size in
        let content = ForeignContent(notes: (0..<size).map { _ in ForeignNote(text: "Same", place: "") })
        return {
          var notebook = Notebook()
          try notebook.importContent(content)
          try notebook.importContent(content)
        }
      },
      Case("adding notes", 50) { size in
        {
          var notebook = Notebook()
          for index in 0..<size { try notebook.addNote(text: "\(index)") }
        }
      },
      Case("deleting notes", 50) { size in
        let before = try notebook(size)
        return {
          var notebook = before
          _ = notebook.deleteNotes(before.notes.ids.map { $0 })
        }
      },
      Case("archiving notes", 50) { size in
        let before = try notebook(size)
        return {
          var notebook = before
          try notebook.apply(.setArchived(true), to: before.notes.ids)
        }
      },
      Case("renaming the tag of notes", 50) { size in
        let before = try notebook(10 * size)
        return {
          var notebook = before
          try notebook.renameTag("tag 1", to: "Tag 2")
        }
      },
      Case("deleting the tag of notes", 50) { size in
        let before = try notebook(10 * size)
        let tag = before.existingTag(named: "tag 1")?.id ?? ""
        return {
          var notebook = before
          try notebook.apply(.removeTag(tag), to: before.notes.ids.prefix(size))
          try notebook.apply(.addTag(tag), to: before.notes.ids)
          try notebook.deleteTag(tag)
        }
      },
      Case("sweeping what is on no note", 50) { size in
        var before = try noteWithMuch(size)
        try before.setTags([], of: 1_000)
        try before.setAttachments([], of: 1_000)
        let swept = before
        return {
          var notebook = swept
          _ = notebook.deleteOrphanedTags()
          _ = notebook.deleteOrphanedAttachments()
        }
      },
      Case("pages of notes", 50) { size in
        let notebook = try notebook(size)
        return {
          var position: TimelinePosition?
          repeat {
            let page = notebook.timeline(.all, after: position, limit: 20)
            position = page.last?.position
          } while position != nil
          _ = notebook.notes(modifiedSince: .day(size / 2))
          _ = try notebook.vesperJSON(changedSince: .day(size / 2))
        }
      },
      Case("searching notes", 50) { size in
        let notebook = try notebook(size)
        return { _ = notebook.search("words nowhere") }
      },
      Case("searching notes by an index", 50) { size in
        let notes = try notebook(size).notes
        return {
          _ = notes.search(in: [\.text], for: "words note", by: Note.byTag, order: .descending)
          _ = notes.search(in: [\.text], for: "words nowhere", by: Note.byTag, order: .descending)
        }
      },
      Case("pages of an index", 50) { size in
        let notes = try notebook(size).notes
        return {
          for order in [RecordOrder.ascending, .descending] {
            var position: IndexPosition<Tag.ID, Note.ID>?
            repeat {
              let page = notes.page(in: Note.byTag, order: order, after: position, limit: 20)
              position = page.last?.position
            } while position != nil
          }
        }
      },
      Case("violations", 50) { size in
        let notebook = try notebook(size)
        return { _ = notebook.allViolations() }
      },
      Case("many violations", 50) { size in
        var notebook = try notebook(size)
        for id in notebook.notes.ids.map({ $0 }) {
          try notebook.deletedNotes.insert(DeletedNote(id: id, deletionDate: nil))
        }
        let broken = notebook
        return {
          var notebook = broken
          _ = notebook.allViolations()
          _ = notebook.repair()
        }
      },
      Case("merging by dates", 50) { size in
        let (a, b) = (try notebook(size), try notebook(size) { "Other \($0)" })
        return {
          var notebook = a
          let content = SyncContent(b)
          try notebook.merge(content)
          _ = notebook.missing(from: content)
          _ = notebook.changed(since: a)
        }
      },
      Case("merging three ways", 50) { size in
        let base = try notebook(size)
        let (a, b) = (try notebook(size) { "A \($0)" }, try notebook(size) { "B \($0)" })
        return { _ = Notebook.merging(base: base, ours: a, theirs: b) }
      },
      Case("differences", 50) { size in
        let (a, b) = (try notebook(size), try notebook(size) { "Other \($0)" })
        return { _ = try ModelDifference(from: a, to: b).lines }
      },
      Case("deletions without notes", 50) { size in
        let bytes = bytes("[\((1_000..<1_000 + size).map { "\($0)" }.joined(separator: ","))]")
        return {
          var notebook = Notebook()
          try notebook.importVesper(bytes)
          try notebook.merge(SyncContent(vesper: bytes))
        }
      },
      Case("tags without names", 50) { size in
        let bytes = bytes("[\((0..<size).map { "{\"uniqueID\":\"\($0)\"}" }.joined(separator: ","))]")
        return {
          var notebook = Notebook()
          try notebook.importVesper(bytes)
          try notebook.merge(SyncContent(vesper: bytes))
        }
      },
    ]
}
