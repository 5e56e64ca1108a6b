import Foundation
import SnapshotNotebook
import SnapshotStore

/// A record as a user of the library declares it: `Codable` by the compiler, with the indexes of `Note`.
struct UserNote: Record {
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

  static let bySortDate = Index<UserNote, Date>("sortDate") { $0.sortDate }
  static let byTag = Index<UserNote, String>("tag", each: { $0.tags })
  static let byAttachment = Index<UserNote, String>("attachment", each: { $0.attachments })
  static let indexes = Indexes(bySortDate, byTag, byAttachment)
}

extension UserNote {
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

/// A model of the user's own records.
struct UserNotebook: Model {
  var notes = Table<UserNote>()

  static let schema = Schema<UserNotebook>("user-notebook", version: 1, Field("notes", \.notes))

  init() {}

  /// A notebook of notes with different ids.
  init(notes: [UserNote]) {
    do {
      self.notes = try Table(notes)
    } catch {
      fatalError("\(error)")
    }
  }
}

/// The library's notes in a model as simple as `UserNotebook`, so that only the record type differs.
struct BareNotebook: Model {
  var notes = Table<Note>()

  static let schema = Schema<BareNotebook>("bare-notebook", version: 1, Field("notes", \.notes))

  init() {}

  /// A notebook of notes with different ids.
  init(notes: [Note]) {
    do {
      self.notes = try Table(notes)
    } catch {
      fatalError("\(error)")
    }
  }
}
