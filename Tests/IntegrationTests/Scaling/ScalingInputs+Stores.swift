import Foundation

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

extension ScalingInputs {
  // MARK: Lines

  private static func line(_ id: Int, _ text: String) -> String { "{\"id\":\(id),\"text\":\"\(text)\"}\n" }

  /// Reads all records of a file of lines.
  private static func readingLines(_ text: String) -> ScalingMeter.Operation {
    let folder = InMemoryFileSystem(directories: ["/dir"])
    folder["/dir/lines"] = bytes(text)
    return {
      let lines = RecordLines<Line>(at: URL(filePath: "/dir/lines"), limits: ReadLimits(), fileSystem: folder)
      var records = lines.makeAsyncIterator()
      while try records.nextRecord() != nil {}
    }
  }

  static let lines: [Case] = [
    Case("many lines", 500) { size in readingLines((0..<size).map { line($0, "text") }.joined()) },
    Case("one long line", 50_000) { size in readingLines(line(1, String(repeating: "é", count: size))) },
    Case("blank lines", 2_000) { size in readingLines(String(repeating: " \n", count: size) + line(1, "text")) },
    Case("a line with many keys", 200) { size in
      let map = (0..<size).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
      return readingLines("{\"id\":1,\"text\":\"T\",\"map\":{\(map)}}\n")
    },
    Case("importing records", 200) { size in
      let records = (0..<size).map { Line(id: $0, text: "text", map: nil) }
      return {
        let store = Store(Lines())
        try store.importRecords(records, into: \.lines, batch: 50)
        try store.importRecords(records, into: \.lines, batch: 50, checkpoints: .every(size / 4))
      }
    },
  ]

  // MARK: Unknown content

  /// A notebook with notes that have unknown keys, and with unknown tables.
  private static func unknownContent(notes: Int, keys: (Int) -> String, tables: String = "") -> [UInt8] {
    let date = "\"2014-01-02T03:04:05Z\""
    let notes = (0..<notes).map { index in
      "{\"archived\":false,\"attachments\":[],\"creationDate\":\(date),\"id\":\(1_000 + index),\"modificationDate\":\(date),"
        + "\"sortDate\":\(date),\"tags\":[],\"text\":\"T\"\(keys(index))}"
    }
    return bytes(
      "{\"snapshot\":{\"schema\":\"notebook\",\"version\":1},\"notes\":[\(notes.joined(separator: ","))]\(tables)}")
  }

  private static let unknown: [(name: String, size: Int, bytes: @Sendable (Int) -> [UInt8])] = [
    (
      "many keys of one note", 50,
      { size in unknownContent(notes: 1) { _ in (0..<size).map { ",\"k\($0)\":\($0)" }.joined() } }
    ),
    ("one key of many notes", 100, { size in unknownContent(notes: size) { _ in ",\"k\":[1]" } }),
    ("a key for each note", 100, { size in unknownContent(notes: size) { ",\"k\($0)\":1" } }),
    (
      "many tables", 400,
      { size in
        unknownContent(notes: 1, keys: { _ in "" }, tables: (0..<size).map { ",\"t\($0)\":[{\"id\":1}]" }.joined())
      }
    ),
    (
      "many single values", 400,
      { size in
        unknownContent(notes: 1, keys: { _ in "" }, tables: (0..<size).map { ",\"v\($0)\":{\"a\":1}" }.joined())
      }
    ),
    (
      "many records in a table", 200,
      { size in
        let records = (0..<size).map { "{\"id\":\($0),\"a\":1}" }.joined(separator: ",")
        return unknownContent(notes: 1, keys: { _ in "" }, tables: ",\"t\":[\(records)]")
      }
    ),
  ]

  static let unknownInStores: [Case] = unknown.flatMap { name, size, bytes in
    [
      Case("a store with unknown content: \(name)", size) { size in
        let bytes = bytes(size)
        return {
          let world = StoreUnderTest()
          world.bytes = bytes
          let store = try world.open(Notebook.self)
          for _ in 0..<3 {
            try store.write { _ = try $0.addNote(text: "New") }
            try store.flushAndWait()
          }
          try store.closeAndWait()
        }
      },
      Case("merging unknown content: \(name)", size) { size in
        let base = try SnapshotFile.decodeContent(Notebook.self, from: bytes(size))
        let ours = try SnapshotFile.decodeContent(Notebook.self, from: bytes(size + 1))
        let theirs = try SnapshotFile.decodeContent(Notebook.self, from: bytes(size + 2))
        return {
          _ = SnapshotContent.merging(base: base, ours: ours, theirs: theirs)
          var content = ours
          content.mergeUnknown(from: theirs)
          _ = try ModelDifference(from: base, to: content).lines
        }
      },
      Case("formats with unknown content: \(name)", size) { size in
        let content = try SnapshotFile.decodeContent(Notebook.self, from: bytes(size))
        return {
          for format in FileFormat.allCases {
            let bytes = try Array(SnapshotFile.encode(content, as: format))
            _ = try SnapshotFile.decodeContent(Notebook.self, from: bytes)
            _ = try SnapshotSummary(of: bytes)
          }
        }
      },
      Case("salvaging unknown content: \(name)", size) { size in
        let content = try SnapshotFile.decodeContent(Notebook.self, from: bytes(size))
        let damaged = try FileFormat.allCases.map { format in
          Array(try SnapshotFile.encode(content, as: format).dropLast(40))
        }
        return { for bytes in damaged { _ = try? Salvaged<Notebook>(of: bytes) } }
      },
    ]
  }

  // MARK: Stores

  private static func counters(_ size: Int, _ value: Int = 0) throws -> Counters {
    var counters = Counters()
    counters.left = try Table((0..<size).map { Counter(id: $0, value: value) })
    return counters
  }

  static let stores: [Case] = [
    Case("three-way merge of long lists", 200) { size in
      let base = try noteWithMuch(size)
      var (a, b) = (base, base)
      try a.setTags(base.tags.ids.dropLast(size / 2).map { $0 }, of: 1_000)
      try b.setTags(base.tags.ids.reversed().map { $0 }, of: 1_000)
      try b.setAttachments([], of: 1_000)
      let (ours, theirs) = (a, b)
      return { _ = Notebook.merging(base: base, ours: ours, theirs: theirs) }
    },
    Case("saving a detached copy of a note with much", 200) { size in
      let base = try noteWithMuch(size)
      guard let note = base.notes[1_000] else { return {} }
      var copy = note
      copy.setTags(note.tags.reversed(), at: .day(9))
      copy.removeAttachments(note.attachments, at: .day(9))
      let edited = copy
      return {
        var notebook = base
        try notebook.merge(detached: edited, base: note)
      }
    },
    Case("many transactions", 50) { size in
      {
        let store = Store(Counters())
        let history = UndoHistory(of: store, levels: size)
        for id in 0..<size { try store.write { try $0.set(id, to: 1) } }
        while try history.undo() != nil {}
        while try history.redo() != nil {}
      }
    },
    Case("a group of many transactions", 50) { size in
      {
        let store = Store(Counters())
        let history = UndoHistory(of: store)
        try history.group("Many") { for id in 0..<size { try store.write { try $0.set(id, to: 1) } } }
        try history.undo()
        try history.redo()
      }
    },
    Case("a scratchpad", 100) { size in
      let before = try counters(size)
      return {
        let store = Store(before)
        let pad = store.scratchpad()
        try pad.write { try $0.left.updateAll { $0.value = 1 } }
        try store.write { counters in for id in 0..<size { try counters.set(size + id, to: 2) } }
        try pad.refresh()
        _ = pad.changes.isEmpty
        try pad.commit()
        try pad.discard()
      }
    },
    Case("live lists", 50) { size in
      let before = try counters(size)
      return {
        let old = Store(before).observe(\.left, sortedBy: \.value).current()
        var after = before
        try after.left.updateAll { $0.value = -$0.id }
        let batch = old.updated(from: before.left, to: after.left)
        _ = (batch.after.index(of: after.left[0] ?? Counter(id: 0, value: 0)), old.count, Array(batch.after))
        var records = Array(old)
        batch.apply(to: &records)
      }
    },
    Case("changes of a table", 100) { size in
      let (a, b) = (try counters(size), try counters(size, 1))
      return {
        let changes = b.left.changes(from: a.left)
        var table = a.left
        try table.apply(changes)
        table.remove(changes.map(\.id))
        for record in b.left.reversed() { try table.insert(record) }
        table.removeAll { $0.id % 2 == 0 }
        _ = ChangeSet(before: a, after: b, revision: 1).changes(in: \.left)
      }
    },
    Case("links", 100) { size in
      let store = Store(try counters(size))
      let links = (0..<size).map { SoftLink<Counter>($0 % 10 * size + $0) }
      return {
        let targets = store.resolve(links, in: \.left)
        _ = (targets.found, targets.missing, targets.ids)
      }
    },
  ]
}

private struct Line: Record {
  let id: Int
  var text: String
  var map: [String: Int]?
}

private struct Lines: Model {
  var lines = Table<Line>()
  static let schema = Schema<Lines>("lines", version: 1, Field("lines", \.lines))
}
