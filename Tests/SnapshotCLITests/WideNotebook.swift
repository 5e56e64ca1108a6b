import Foundation
import SnapshotNotebook
import SnapshotStore

/// A notebook of a newer program: records with keys, and tables, that the tool does not know.
struct WideNotebook: Model {
  var attachments = Table<Wide<Attachment>>()
  var deletedNotes = Table<Wide<DeletedNote>>()
  var notes = Table<Wide<Note>>()
  var tags = Table<Wide<SnapshotNotebook.Tag>>()
  var drafts = Table<Folder>()
  var folders = Table<Folder>()

  static let schema = Schema<WideNotebook>(
    "notebook", version: 1,
    Field("attachments", \.attachments),
    Field("deletedNotes", \.deletedNotes),
    Field("notes", \.notes),
    Field("tags", \.tags),
    Field("drafts", \.drafts),
    Field("folders", \.folders))

  /// The content of a file, in any format.
  static func read(_ data: Data) throws -> WideNotebook { try SnapshotFile.decode(from: Array(data)) }

  func data(_ format: FileFormat) throws -> Data { Data(try SnapshotFile.encode(self, as: format)) }

  /// Two notes with one tag, with more content than the tool knows.
  static func sample() throws -> WideNotebook {
    let notebook = try Notebook.sample()
    var wide = WideNotebook()
    for note in notebook.notes { try wide.notes.insert(Wide(note, color: note.id == 1001 ? "red" : nil)) }
    for tag in notebook.tags { try wide.tags.insert(Wide(tag, color: "blue")) }
    for gone in notebook.deletedNotes { try wide.deletedNotes.insert(Wide(gone, color: "grey")) }
    try wide.drafts.insert(Folder(id: "c", name: "Poem"))
    try wide.folders.insert(Folder(id: "a", name: "Travel"))
    try wide.folders.insert(Folder(id: "b", name: "Work"))
    return wide
  }
}

extension Note {
  /// The note after `snapshot-cli archive`.
  func archived(in wide: WideNotebook) throws -> Note {
    var notebook = Notebook()
    for tag in wide.tags { _ = notebook.tag(named: tag.base.name) }
    try notebook.upsert(self)
    try notebook.setArchived(true, of: id)
    guard let note = notebook.notes[id] else { throw CancellationError() }
    return note
  }
}

extension Notebook {
  fileprivate static func sample() throws -> Notebook {
    var notebook = Notebook()
    let tag = notebook.tag(named: "Paris")
    let date = Date(timeIntervalSinceReferenceDate: 700_000_000)
    for (id, text) in [(1001, "First"), (1002, "Second"), (1003, "Third")] as [(Note.ID, String)] {
      try notebook.upsert(Note(id: id, text: text, creationDate: date))
    }
    try notebook.setTags([tag.id], of: 1001)
    notebook.deleteNotes([1003])
    return notebook
  }
}

/// A record with one more key.
struct Wide<Base: Record>: Record where Base.ID: Codable {
  var base: Base
  var color: String?

  var id: Base.ID { base.id }

  private enum Key: CodingKey { case color }

  init(_ base: Base, color: String? = nil) {
    self.base = base
    self.color = color
  }

  init(from decoder: any Decoder) throws {
    base = try Base(from: decoder)
    color = try decoder.container(keyedBy: Key.self).decodeIfPresent(String.self, forKey: .color)
  }

  func encode(to encoder: any Encoder) throws {
    try base.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encodeIfPresent(color, forKey: .color)
  }
}

/// A record of a table that the tool does not know.
struct Folder: Record {
  let id: String
  var name: String
}

/// A suite whose stores have more content than the tool knows.
protocol WideNotebookSuite {
  var cli: CLI { get }
  var wide: WideNotebook { get }
}

extension WideNotebookSuite {
  func store(_ name: String) throws -> WideNotebook { try WideNotebook.read(try cli.bytes(name)) }

  func make(_ name: String, _ format: FileFormat = .json, _ wide: WideNotebook? = nil) throws {
    try (wide ?? self.wide).data(format).write(to: cli.url(name))
  }
}
