import Foundation
public import SnapshotStore

/// Reading of Vesper's exports.
extension ForeignContent {
  /// The content of a file of the notes app Vesper: the JSON of its sync service, or its tutorial property list.
  ///
  /// The service has arrays of one kind each: of notes, of tags, or of the ids of deleted notes.
  /// ``Notebook/vesperJSON(changedSince:)`` writes an object with all of them. A tag without a name is skipped. So is a
  /// deletion with a date that cannot be read; `skipped` lists them. Any other date that cannot be read counts as not
  /// given, and the report names it.
  ///
  /// - Parameters:
  ///   - bytes: all bytes of the file.
  ///   - limits: the greatest sizes and depth.
  ///   - path: the name of the source in errors and in the places of the notes.
  /// - Throws: `SnapshotError`.
  public init(vesper bytes: [UInt8], limits: ReadLimits = ReadLimits(), path: String? = nil) throws {
    do throws(SnapshotError) {
      let document = try UntypedDocument(reading: TextFile.utf8(bytes), limits: limits)
      let content = try VesperReader(document: document, limits: limits).content()
      self.init(notes: content.notes.map { $0.foreignNote(in: path) })
      tags = content.tags
      remarks = Self.remarks(on: notes) + content.remarks.map { remark in path.map { "\($0): \(remark)" } ?? remark }
      deletions = content.deletions
      let unreadable = content.unreadableDeletions.map {
        SkippedItem(place: "note \($0)", id: $0, reason: "has a deletion date that cannot be read")
      }
      skipped = (content.skipped + unreadable).map { skipped in
        var skipped = skipped
        if let path { skipped.place = "\(path): \(skipped.place)" }
        return skipped
      }
    } catch {
      throw path.map(error.at(path:)) ?? error
    }
  }
}

/// A note as Vesper writes it, with the names of its tags.
struct VesperNote {
  var id: Note.ID
  var text: String
  /// The place in the file: `notes[17]`.
  var place: String
  var archived = false
  var dates: [String: Date] = [:]
  var tagNames: [String] = []
  var attachments: [Attachment] = []
  /// Dates that cannot be read.
  var warnings: [ImportWarning] = []
  /// Values that are absent or null in the file.
  var missing: NoteProperties = []
  /// The values among them that are absent.
  var absent: NoteProperties = []

  func note(tags: [Tag.ID], now: Date) -> Note { foreignNote(in: nil).note(id: id, tags: tags, now: now) }

  func foreignNote(in path: String?) -> ForeignNote {
    var note = ForeignNote(
      id: id, text: text, archived: missing.contains(.archived) ? nil : archived, creationDate: dates["creationDate"],
      sortDate: dates["sortDate"],
      tagNames: tagNames, attachments: attachments, place: path.map { "\($0): \(place)" } ?? place)
    note.textModificationDate = dates["textModificationDate"]
    note.archivedModificationDate = dates["archivedModificationDate"]
    note.sortDateModificationDate = dates["sortDateModificationDate"]
    note.tagsModificationDate = dates["tagsModificationDate"]
    note.attachmentsModificationDate = dates["attachmentsModificationDate"]
    note.givesTags = !missing.contains(.tags)
    note.givesAttachments = !missing.contains(.attachments)
    note.warnings = warnings
    return note
  }
}
