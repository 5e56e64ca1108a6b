import Foundation
import SnapshotNotebook
import SnapshotStore

/// A record of this program with direct coding, as `Note` has it. It has the properties and the number of indexes of
/// `Note`.
struct DirectNote: DirectRecord {
  let id: Int64
  var text: String
  var archived: Bool
  var creationDate: Date
  var sortDate: Date
  var modificationDate: Date
  var textModificationDate: Date?
  var archivedModificationDate: Date?
  var sortDateModificationDate: Date?
  var tagsModificationDate: Date?
  var attachmentsModificationDate: Date?
  var tags: [String]
  var attachments: [String]

  static let bySortDate = Index<DirectNote, Date>("sortDate") { $0.sortDate }
  static let byTag = Index<DirectNote, String>("tag", each: { $0.tags })
  static let byAttachment = Index<DirectNote, String>("attachment", each: { $0.attachments })
  static let indexes = Indexes(bySortDate, byTag, byAttachment)

  init(reading reader: inout RecordReader) throws(RecordReader.Mismatch) {
    id = try reader.read("id")
    text = try reader.read("text")
    archived = try reader.read("archived")
    creationDate = try reader.read("creationDate")
    sortDate = try reader.read("sortDate")
    modificationDate = try reader.read("modificationDate")
    textModificationDate = try reader.readIfPresent("textModificationDate")
    archivedModificationDate = try reader.readIfPresent("archivedModificationDate")
    sortDateModificationDate = try reader.readIfPresent("sortDateModificationDate")
    tagsModificationDate = try reader.readIfPresent("tagsModificationDate")
    attachmentsModificationDate = try reader.readIfPresent("attachmentsModificationDate")
    tags = try reader.read("tags")
    attachments = try reader.read("attachments")
  }

  func write(to writer: inout RecordWriter) {
    writer.write("id", id)
    writer.write("text", text)
    writer.write("archived", archived)
    writer.write("creationDate", creationDate)
    writer.write("sortDate", sortDate)
    writer.write("modificationDate", modificationDate)
    writer.writeIfPresent("textModificationDate", textModificationDate)
    writer.writeIfPresent("archivedModificationDate", archivedModificationDate)
    writer.writeIfPresent("sortDateModificationDate", sortDateModificationDate)
    writer.writeIfPresent("tagsModificationDate", tagsModificationDate)
    writer.writeIfPresent("attachmentsModificationDate", attachmentsModificationDate)
    writer.write("tags", tags)
    writer.write("attachments", attachments)
  }
}

extension DirectNote {
  init(_ note: Note) {
    id = note.id
    text = note.text
    archived = note.archived
    creationDate = note.creationDate
    sortDate = note.sortDate
    modificationDate = note.modificationDate
    textModificationDate = note.textModificationDate
    archivedModificationDate = note.archivedModificationDate
    sortDateModificationDate = note.sortDateModificationDate
    tagsModificationDate = note.tagsModificationDate
    attachmentsModificationDate = note.attachmentsModificationDate
    tags = note.tags
    attachments = note.attachments
  }
}

/// A model of such records.
struct DirectNotebook: Model {
  var notes = Table<DirectNote>()

  static let schema = Schema<DirectNotebook>("direct-notebook", version: 1, Field("notes", \.notes))

  init() {}

  /// A notebook of notes with different ids.
  init(notes: [DirectNote]) {
    do {
      self.notes = try Table(notes)
    } catch {
      fatalError("\(error)")
    }
  }
}
