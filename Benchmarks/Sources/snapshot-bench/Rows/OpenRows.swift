import Foundation
import SnapshotNotebook
import SnapshotStore

/// Opening a store, checksum, validation and indexes included, compared with decoding an array.
func openRows() -> [BenchmarkRow] {
  [
    BenchmarkRow(
      "open.json.vs-foundation", "Opening a JSON store, against decoding the same bytes into [Note].",
      unit: .milliseconds, peer: "JSONDecoder, same bytes, ISO8601FormatStyle", target: 8, mostRounds: 3
    ) { work, rounds in
      let file = try work.file(.json)
      return try open(work, rounds, .json) {
        try Opened(records: FoundationCoder.isoDecoder().decode(NoteList.self, from: Data(contentsOf: file)).notes)
      }
    },
    BenchmarkRow(
      "open.json.vs-foundation-numbers",
      "The same, against decoding what JSONEncoder writes by itself: dates are numbers, which is easier.",
      unit: .milliseconds, peer: "JSONDecoder, its own JSON", target: nil, mostRounds: 3
    ) { work, rounds in
      let file = try work.foundationFile(.json)
      return try open(work, rounds, .json) { try decode(.json, file) }
    },
    BenchmarkRow(
      "open.json.vs-grdb",
      "Opening a JSON store, against opening a database and fetching all notes with tags and attachments.",
      unit: .milliseconds, peer: "GRDB, a query a table", target: 1
    ) { work, rounds in
      let database = try work.database()
      return try open(work, rounds, .json) {
        let opened = try GRDBNotebook(at: database)
        return Opened(records: try opened.allNotes(), keptOpen: opened)
      }
    },
    BenchmarkRow(
      "open.indexes", "Opening a JSON store, until one entry of each index of the notes was read.",
      unit: .milliseconds, peer: "opening alone", target: nil, mostRounds: 3, measure: openWithIndexes),
    BenchmarkRow(
      "open.json.codable.vs-foundation",
      "Opening a JSON store of a Codable record of another module, against decoding the same bytes.",
      unit: .milliseconds, peer: "JSONDecoder, same bytes, ISO8601FormatStyle", target: 6, mostRounds: 3
    ) { work, rounds in
      let file = try work.userFile(.json)
      return try openUserFile(work, rounds, .json) {
        try FoundationCoder.isoDecoder().decode(UserNoteList.self, from: Data(contentsOf: file))
      }
    },
    BenchmarkRow(
      "open.binary.codable.vs-foundation", "Opening a binary property list of such a record.",
      unit: .milliseconds, peer: "PropertyListDecoder, same bytes", target: 3, mostRounds: 3
    ) { work, rounds in
      let file = try work.userFile(.binary)
      return try openUserFile(work, rounds, .binary) {
        try FoundationCoder.binary.decode(UserNoteList.self, from: Data(contentsOf: file))
      }
    },
    BenchmarkRow(
      "open.xml.codable.vs-foundation", "Opening an XML property list of such a record.",
      unit: .milliseconds, peer: "PropertyListDecoder, its own XML", target: 2, mostRounds: 3
    ) { work, rounds in
      let file = try work.foundationFile(.xml)
      return try openUserFile(work, rounds, .xml) {
        try FoundationCoder.xml.decode(UserNoteList.self, from: Data(contentsOf: file))
      }
    },
    BenchmarkRow(
      "open.binary.vs-foundation", "Opening a binary property list, against decoding the same bytes into [Note].",
      unit: .milliseconds, peer: "PropertyListDecoder, same bytes", target: 8, mostRounds: 3
    ) { work, rounds in
      let file = try work.file(.binary)
      return try open(work, rounds, .binary) { try decode(.binary, file) }
    },
    BenchmarkRow(
      "open.xml.vs-foundation",
      "Opening an XML property list, against decoding what PropertyListEncoder writes: dates in whole seconds.",
      unit: .milliseconds, peer: "PropertyListDecoder, its own XML", target: 8, mostRounds: 3
    ) { work, rounds in
      let file = try work.foundationFile(.xml)
      return try open(work, rounds, .xml) { try decode(.xml, file) }
    },
  ]
}

/// Returns when the indexes that a store builds in the background are there, so that the next figure is not theirs.
func waitForIndexes(_ store: Store<Notebook>) {
  readIndexes(of: store)
  Thread.sleep(forTimeInterval: 0.1)
}

/// Reads one entry of each index of the notes.
private func readIndexes(of store: Store<Notebook>) {
  store.read { notebook in
    _ = notebook.notes.entries(in: Note.byTag).first { _ in true }
    _ = notebook.notes.entries(in: Note.byAttachment).first { _ in true }
    _ = notebook.timeline(.active, limit: 1)
  }
}

/// The result of a peer. It is retained, so that its release is not measured.
private struct Opened<Element: TextHolder> {
  let records: [Element]
  var keptOpen: GRDBNotebook?
}

private func decode(_ coder: FoundationCoder, _ file: URL) throws -> Opened<Note> {
  Opened(records: try coder.decode(NoteList.self, from: Data(contentsOf: file)).notes)
}

/// Opens the notebook in a format, and makes the peer's array from an existing file.
private func open<Element: TextHolder>(
  _ work: Workload, _ rounds: Int, _ format: FileFormat, peer: () throws -> Opened<Element>
) throws -> Measurement {
  let file = try work.file(format)
  // Opening syncs a file that others wrote. That is not measured here.
  sync()
  return try alternating(rounds: rounds) {
    let (store, seconds) = try timed { try Store<Notebook>.open(at: file) }
    try requireEqual(store.read { $0.notes.textLength }, work.textLength, "the texts that were opened")
    waitForIndexes(store)
    return seconds
  } peer: {
    let (opened, seconds) = try timed(peer)
    try requireEqual(work.textLength, opened.records.textLength, "the texts that were read")
    return seconds
  }
}

private func openWithIndexes(_ work: Workload, _ rounds: Int) throws -> Measurement {
  let file = try work.file(.json)
  sync()
  return try alternating(rounds: rounds) {
    let (store, time) = try timed {
      let store = try Store<Notebook>.open(at: file)
      readIndexes(of: store)
      return store
    }
    waitForIndexes(store)
    return time
  } peer: {
    let (store, time) = try timed { try Store<Notebook>.open(at: file) }
    waitForIndexes(store)
    return time
  }
}

private func openUserFile(
  _ work: Workload, _ rounds: Int, _ format: FileFormat, peer: () throws -> UserNoteList
) throws -> Measurement {
  let file = try work.userFile(format)
  return try alternating(rounds: rounds) {
    let (store, seconds) = try timed { try Store<UserNotebook>.open(at: file) }
    try requireEqual(store.read { $0.notes.textLength }, work.textLength, "the texts that were opened")
    return seconds
  } peer: {
    let (list, seconds) = try timed(peer)
    try requireEqual(work.textLength, list.notes.textLength, "the texts that were read")
    return seconds
  }
}

/// A value with a text. Its length shows whether everything was read.
protocol TextHolder {
  var text: String { get }
}

extension Note: TextHolder {}
extension UserNote: TextHolder {}
extension PlainNote: TextHolder {}

extension Sequence where Element: TextHolder {
  var textLength: Int { reduce(0) { $0 + $1.text.utf8.count } }
}
