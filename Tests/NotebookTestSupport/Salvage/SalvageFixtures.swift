import Foundation

@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

extension Notebook {
  /// A notebook with several records in every table and every kind of field. There are unknown dates, texts with all
  /// kinds of escapes, texts beyond ASCII, ids that JSON readers hold inexactly, empty and full arrays.
  static func ofEveryKind() throws -> Notebook {
    var notebook = try Notebook.tiny()
    try notebook.add(Attachment(id: "", mimeType: "", height: 0, width: .max))
    let tag = notebook.tag(named: "b").id
    var note = Note(id: 1 << 53, text: "{[,]} <key>notes</key>\t\u{2028}\\", creationDate: .day(1, plus: 0.1))
    note.setTags([tag, "ünter wegs"], at: .day(2))
    note.setArchived(true, at: .day(3))
    note.textModificationDate = nil
    try notebook.upsert(note)
    try notebook.upsert(Note(id: 7, text: "", creationDate: .distantFuture))
    try notebook.upsert(Note(id: 8, text: "gone", creationDate: .day(1)))
    notebook.deleteNotes([8])
    return notebook
  }

  /// Every record in one line of JSON, by table and id.
  func lines() throws -> [String: String] {
    var lines: [String: String] = [:]
    for record in attachments { lines["attachments \(record.id)"] = try SnapshotFile.json(of: record) }
    for record in deletedNotes { lines["deletedNotes \(record.id)"] = try SnapshotFile.json(of: record) }
    for record in notes { lines["notes \(record.id)"] = try SnapshotFile.json(of: record) }
    for record in tags { lines["tags \(record.id)"] = try SnapshotFile.json(of: record) }
    return lines
  }
}

extension Salvaged<Notebook> {
  /// The entries of the report, one line each.
  var report: [String] { losses.map(\.description) }
}

/// The bytes of a notebook in a format, optionally without a checksum.
func encoded(_ notebook: Notebook, _ format: FileFormat, checksum: Bool = true) throws -> [UInt8] {
  let bytes = try SnapshotFile.encode(notebook, as: format)
  return checksum ? bytes : try Crafted.withoutChecksum(bytes, format)
}

/// A binary list without the table of offsets and the trailer.
func binaryObjects(_ notebook: Notebook) throws -> [UInt8] {
  let bytes = try encoded(notebook, .binary)
  return Array(bytes[..<(try BinaryLayout(SourceText(bytes, isText: false)).offsetTable)])
}
