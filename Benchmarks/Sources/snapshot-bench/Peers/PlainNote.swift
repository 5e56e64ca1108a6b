import Foundation
import SnapshotNotebook
import SnapshotStore

/// A note with the properties of `Note`, but a plain struct of this program: no indexes, no hand-written code.
///
/// GRDB fetches it. Both sides of the comparison with maps without indexes contain it.
struct PlainNote: Record {
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
}

extension PlainNote {
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
