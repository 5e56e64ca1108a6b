import Foundation
public import SnapshotStore

/// Imports of what Vesper has exported.
extension Notebook {
  /// Adds what a file of the notes app Vesper holds: the JSON of its sync service, or its tutorial property list. See
  /// ``ForeignContent/init(vesper:limits:path:)``.
  ///
  /// As ``importNotes(_:options:progress:)``; tags keep Vesper's spelling and dates, and its deletions are remembered.
  ///
  /// - Parameters:
  ///   - bytes: all bytes of the file.
  ///   - limits: what is refused for its size or depth.
  ///   - path: what errors and the report call the source.
  ///   - options: what happens to notes that are here with other content.
  ///   - progress: called after each batch; what it throws ends the import, and leaves the notebook as it was.
  /// - Throws: `SnapshotError`, and what `progress` throws; the notebook is then unchanged.
  @discardableResult
  public mutating func importVesper(
    _ bytes: [UInt8], limits: ReadLimits = ReadLimits(), path: String? = nil, options: ImportOptions = ImportOptions(),
    progress: (ImportProgress) throws -> Void = { _ in }
  ) throws -> ImportReport {
    try importContent(
      try ForeignContent(vesper: bytes, limits: limits, path: path), options: options, progress: progress)
  }
}

extension ForeignContent {
  /// What a file of the notes app Vesper holds: the JSON of its sync service, or its tutorial property list.
  ///
  /// The service has arrays of one kind each: of notes, of tags, or of the ids of deleted notes. What
  /// ``Notebook/vesperJSON(changedSince:)`` writes is an object with all of them. A tag without a name is passed over,
  /// and listed in `skipped`.
  ///
  /// - Parameters:
  ///   - bytes: all bytes of the file.
  ///   - limits: what is refused for its size or depth.
  ///   - path: what errors and the places of the notes call the source.
  /// - Throws: `SnapshotError`.
  public init(vesper bytes: [UInt8], limits: ReadLimits = ReadLimits(), path: String? = nil) throws {
    do throws(SnapshotError) {
      let document = try UntypedDocument(reading: bytes, limits: limits)
      let content = try VesperReader(document: document, limits: limits).content()
      self.init(notes: content.notes.map { $0.foreignNote(in: path) })
      tags = content.tags
      deletions = content.deletions
      skipped = content.skipped.map { skipped in
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
  /// Where it stands in the file: `notes[17]`.
  var place: String
  var archived = false
  var dates: [String: Date] = [:]
  var tagNames: [String] = []
  var attachments: [Attachment] = []
  /// Values that the file leaves out, or has as null.
  var missing: NoteProperties = []
  /// Those of them that the file leaves out.
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
    return note
  }
}
