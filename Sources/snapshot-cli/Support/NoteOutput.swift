import Foundation
import SnapshotCommands
import SnapshotNotebook
import SnapshotStore

/// A note in the form of `--json`: its stored properties and the derived ones.
struct NoteOutput: Encodable {
  let note: Note

  private enum Keys: String, CodingKey { case title, links }

  func encode(to encoder: any Encoder) throws {
    try note.encode(to: encoder)
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(note.title, forKey: .title)
    try container.encode(note.links, forKey: .links)
  }
}

/// A tag in the form of `--json`.
struct TagOutput: Encodable {
  let id: String
  let name: String
  let notes: Int
}

extension Terminal {
  /// Prints an array with one element per line.
  func printJSON(_ values: [some Encodable]) throws {
    let lines = try values.map { try SnapshotFile.json(of: $0) }
    try print(lines.isEmpty ? "[]\n" : "[\n" + lines.joined(separator: ",\n") + "\n]\n")
  }
}

extension Notebook {
  /// The note with an id.
  func requiredNote(_ id: Note.ID) throws -> Note {
    guard let note = notes[id] else { throw SnapshotError(.recordNotFound, "there is no note with id \(id)") }
    return note
  }
}
