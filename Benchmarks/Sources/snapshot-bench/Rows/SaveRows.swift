import Foundation
import SnapshotStore

/// The bytes of a whole notebook, checksum included, compared with encoding an array of its notes.
func saveRows() -> [BenchmarkRow] {
  [
    BenchmarkRow(
      "save.json.vs-foundation", "Encoding all as JSON, against JSONEncoder in its fastest form (dates as numbers).",
      unit: .milliseconds, peer: "JSONEncoder, dates as numbers", target: 12, mostRounds: 3
    ) { try save($0, $1, .json, .json) },
    BenchmarkRow(
      "save-codable.json.vs-foundation", "The same for a Codable record of another module.",
      unit: .milliseconds, peer: "JSONEncoder, dates as numbers", target: 8, mostRounds: 3
    ) { try saveUserNotebook($0, $1, .json, .json) },
    BenchmarkRow(
      "save-codable.binary.vs-foundation", "Such a record as a binary property list.",
      unit: .milliseconds, peer: "PropertyListEncoder", target: 2, mostRounds: 3
    ) { try saveUserNotebook($0, $1, .binary, .binary) },
    BenchmarkRow(
      "save-codable.xml.vs-foundation", "Such a record as an XML property list.",
      unit: .milliseconds, peer: "PropertyListEncoder", target: 4, mostRounds: 3
    ) { try saveUserNotebook($0, $1, .xml, .xml) },
    BenchmarkRow(
      "save.binary.vs-foundation", "Encoding all as a binary property list.",
      unit: .milliseconds, peer: "PropertyListEncoder", target: 8, mostRounds: 3
    ) { try save($0, $1, .binary, .binary) },
    BenchmarkRow(
      "save.xml.vs-foundation", "Encoding all as an XML property list.",
      unit: .milliseconds, peer: "PropertyListEncoder", target: 10, mostRounds: 3
    ) { try save($0, $1, .xml, .xml) },
  ]
}

private func save(
  _ work: Workload, _ rounds: Int, _ format: FileFormat, _ coder: FoundationCoder
) throws -> Measurement {
  let list = NoteList(notes: work.notes)
  return try save(work, rounds, work.notebook, format) { try coder.encode(list) }
}

private func saveUserNotebook(
  _ work: Workload, _ rounds: Int, _ format: FileFormat, _ coder: FoundationCoder
) throws -> Measurement {
  let peerNotes = UserNoteList(notes: Array(work.userNotebook.notes))
  return try save(work, rounds, work.userNotebook, format) { try coder.encode(peerNotes) }
}

private func save<Root: Model>(
  _ work: Workload, _ rounds: Int, _ root: Root, _ format: FileFormat, peer: () throws -> Data
) throws -> Measurement {
  try alternating(rounds: rounds) {
    let (encoded, seconds) = try timed { try SnapshotFile.encode(root, as: format) }
    guard encoded.count > work.textLength else { throw BenchmarkFailure("too few bytes were encoded") }
    return seconds
  } peer: {
    let (data, seconds) = try timed(peer)
    guard data.count > work.textLength else { throw BenchmarkFailure("the peer encoded too few bytes") }
    return seconds
  }
}
