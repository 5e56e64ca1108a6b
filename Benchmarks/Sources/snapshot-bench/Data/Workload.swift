import Foundation
import SnapshotNotebook
import SnapshotStore

/// The notes of the rows, and their files. Each is made when a row first asks for it.
final class Workload {
  let count: Int
  let seed: UInt64
  let notebook: Notebook
  /// The notes in order of their ids.
  let notes: [Note]
  /// A temporary folder of this run, on the disk.
  let folder: URL
  private var files: [String: URL] = [:]
  private var latencyCache: LatencyMeasurement?
  private var typingCache: TypingMeasurement?
  private var arrivalCache: ArrivalMeasurement?

  init(notes count: Int, seed: UInt64) throws {
    self.count = count
    self.seed = seed
    notebook = try NoteGenerator.notebook(notes: count, seed: seed)
    notes = Array(notebook.notes)
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("snapshot-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  }

  func removeFolder() {
    try? FileManager.default.removeItem(at: folder)
  }

  // MARK: Models

  /// The same notes as records of a type that this program declares, with the indexes of `Note`.
  lazy var userNotebook = UserNotebook(notes: notes.map(UserNote.init))

  /// The same notes as records of this program with direct coding.
  lazy var directNotebook = DirectNotebook(notes: notes.map(DirectNote.init))

  /// The same notes as records without indexes, for peers that have none.
  lazy var plainNotes = notes.map(PlainNote.init)

  /// The result that both sides of a reading row must reach.
  lazy var textLength = notes.reduce(0) { $0 + $1.text.utf8.count }

  /// Ids of existing notes, in random order; the same for the same purpose.
  func randomIDs(_ count: Int, purpose: UInt64) -> [Note.ID] {
    var random = SplitMix64(seed: seed &+ purpose &* 1_000_003)
    return (0..<count).map { _ in random.pick(notes).id }
  }

  /// Ids of different notes, in random order.
  func differentIDs(_ count: Int, purpose: UInt64) -> [Note.ID] {
    var random = SplitMix64(seed: seed &+ purpose &* 1_000_003)
    return notes.map(\.id).shuffled(using: &random).prefix(count).map { $0 }
  }

  // MARK: Files

  /// A file with the notebook, which no row changes.
  func file(_ format: FileFormat) throws -> URL {
    try made("notebook.\(format.fileExtension)") {
      try SnapshotFile.create(notebook, as: format, at: $0)
    }
  }

  /// A file with the records of the user's own type, which no row changes.
  func userFile(_ format: FileFormat) throws -> URL {
    try made("user.\(format.fileExtension)") {
      try SnapshotFile.create(userNotebook, as: format, at: $0)
    }
  }

  /// Foundation's own file of the notes.
  func foundationFile(_ coder: FoundationCoder) throws -> URL {
    try made("foundation-\(coder)") { try coder.encode(NoteList(notes: notes)).write(to: $0) }
  }

  /// The notes in a database.
  func database() throws -> URL {
    try made("notes.sqlite") { try GRDBNotebook.create(at: $0, with: notebook) }
  }

  /// A copy of a file that a row may change, under a unique name.
  func copy(of file: URL) throws -> URL {
    let copy = folder.appendingPathComponent("\(UUID().uuidString).\(file.pathExtension)")
    try FileManager.default.copyItem(at: file, to: copy)
    return copy
  }

  /// A file that a row needs, made once.
  func made(_ name: String, _ make: (URL) throws -> Void) throws -> URL {
    if let url = files[name] { return url }
    let url = folder.appendingPathComponent(name)
    try make(url)
    files[name] = url
    return url
  }

  /// The latencies are measured once for all rows that show them.
  func latencies() throws -> LatencyMeasurement {
    if let latencyCache { return latencyCache }
    let measured = try LatencyMeasurement(self)
    latencyCache = measured
    return measured
  }

  /// So are those of typing.
  func typing() throws -> TypingMeasurement {
    if let typingCache { return typingCache }
    let measured = try TypingMeasurement(self)
    typingCache = measured
    return measured
  }

  /// So are the arrivals of changes in another process.
  func arrival(_ rounds: Int) throws -> ArrivalMeasurement {
    if let arrivalCache { return arrivalCache }
    let measured = try ArrivalMeasurement(self, rounds)
    arrivalCache = measured
    return measured
  }
}

extension FileFormat {
  /// An extension that selects the format.
  var fileExtension: String {
    switch self {
    case .json: "json"
    case .xml: "plist"
    case .binary: "bplist"
    case .ndjson: "ndjson"
    }
  }
}
