import Foundation

/// What an import did.
public struct VesperImportReport: Equatable, Sendable {
  /// Notes that were added.
  public internal(set) var addedNotes = 0
  /// Notes that were there already, the same.
  public internal(set) var unchangedNotes = 0
  /// Notes whose id belongs to a note with other content, which was left as it is.
  public internal(set) var differingNotes: [Note.ID] = []
  /// Notes that were deleted here, and stay deleted.
  public internal(set) var deletedNotes: [Note.ID] = []
  /// Tags that were added.
  public internal(set) var addedTags = 0
  /// Attachments that were added.
  public internal(set) var addedAttachments = 0
  /// Tombstones that were added, of notes that were deleted there and are not here.
  public internal(set) var addedDeletions = 0
}

extension Notebook {
  /// Adds what a file of the notes app Vesper holds: the JSON of its sync service, or its tutorial property list.
  ///
  /// Nothing that is here is changed. Dates that the file does not give stay unknown; a note without a creation date gets
  /// its sort date, or the earliest other date, or now.
  ///
  /// - Throws: ``SnapshotError``; the notebook is then unchanged.
  public mutating func importVesper(
    _ bytes: [UInt8], limits: ReadLimits = ReadLimits()
  ) throws -> VesperImportReport {
    let (root, source) = try ForeignTree.read(bytes, limits: limits)
    var copy = self
    var report = VesperImportReport()
    let reader = VesperReader(source: source, limits: limits)
    let content = try reader.content(root)
    for tag in content.tags where copy.tags[tag.id] == nil { _ = copy.add(tag) }
    for note in content.notes { try copy.take(note, &report) }
    for deleted in content.deletions where copy.notes[deleted.id] == nil && copy.deletedNotes[deleted.id] == nil {
      try copy.deletedNotes.insert(deleted)
      report.addedDeletions += 1
    }
    report.addedTags = copy.tags.count - tags.count
    report.addedAttachments = copy.attachments.count - attachments.count
    self = copy
    return report
  }

  private mutating func take(_ incoming: VesperNote, _ report: inout VesperImportReport) throws {
    if deletedNotes.contains(incoming.id) { return report.deletedNotes.append(incoming.id) }
    let tags = try incoming.tagNames.map { try tag(checkedName: $0).id }
    for attachment in incoming.attachments where !attachments.contains(attachment.id) { try add(attachment) }
    let note = incoming.note(tags: tags, now: notes[incoming.id]?.creationDate ?? sources.now())
    switch notes[note.id] {
    case note?: report.unchangedNotes += 1
    case .some: report.differingNotes.append(note.id)
    case nil:
      try upsert(note)
      report.addedNotes += 1
    }
  }
}

/// A note as Vesper writes it, with the names of its tags.
struct VesperNote {
  var id: Note.ID
  var text: String
  var archived = false
  var dates: [String: Date] = [:]
  var tagNames: [String] = []
  var attachments: [Attachment] = []
  /// Values that the file leaves out, or has as null.
  var missing: NoteProperties = []

  func note(tags: [Tag.ID], now: Date) -> Note {
    let creation = dates["creationDate"] ?? dates["sortDate"] ?? dates.values.min() ?? now
    var note = Note(id: id, text: text, creationDate: creation)
    note.archived = archived
    note.sortDate = dates["sortDate"] ?? creation
    note.textModificationDate = dates["textModificationDate"]
    note.archivedModificationDate = dates["archivedModificationDate"]
    note.sortDateModificationDate = dates["sortDateModificationDate"]
    note.tagsModificationDate = dates["tagsModificationDate"]
    note.attachmentsModificationDate = dates["attachmentsModificationDate"]
    note.modificationDate = dates.filter { $0.key.hasSuffix("ModificationDate") }.values.max() ?? creation
    note.tags = tags.uniqued()
    note.attachments = attachments.map(\.id).uniqued()
    return note
  }
}
