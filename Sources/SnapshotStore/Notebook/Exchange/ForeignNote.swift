public import Foundation

/// A note from a file of another program. What the format does not give is nil, and is neither compared nor changed when
/// the note is here already.
public struct ForeignNote: Equatable, Sendable {
  /// The id, if it is one of ours, such as in a file that was exported here.
  public var id: Note.ID?
  /// What was written.
  public var text: String
  /// Whether the note is put away.
  public var archived: Bool?
  /// When the note was made.
  public var creationDate: Date?
  /// What lists are ordered by.
  public var sortDate: Date?
  /// When anything of the note was last changed.
  public var modificationDate: Date?
  /// When the text was last changed; likewise the others.
  public var textModificationDate: Date?
  /// When `archived` was last changed.
  public var archivedModificationDate: Date?
  /// When `sortDate` was last changed.
  public var sortDateModificationDate: Date?
  /// When the tags were last changed.
  public var tagsModificationDate: Date?
  /// When the attachments were last changed.
  public var attachmentsModificationDate: Date?
  /// The names of the tags, in order.
  public var tagNames: [String]
  /// The attachments, in order.
  public var attachments: [Attachment]
  /// When the file of the note was changed: for a new note that has no other date. It says nothing of a note that is here,
  /// since it changes whenever somebody copies the file.
  public var fileDate: Date?
  /// Whether the format tells the tags; if it does not, a note that is here keeps its own.
  public var givesTags = true
  /// Whether the format tells the attachments.
  public var givesAttachments = true
  /// Where the note stands, for messages: `notes.csv:17`.
  public var place: String
  /// What in its file could be meant otherwise than it is taken.
  var doubts: [ForeignDoubt] = []

  /// A note. The modification dates of its parts, which few formats give, are set afterwards.
  public init(
    id: Note.ID? = nil, text: String, archived: Bool? = nil, creationDate: Date? = nil, sortDate: Date? = nil,
    modificationDate: Date? = nil, tagNames: [String] = [], attachments: [Attachment] = [], place: String
  ) {
    self.id = id
    self.text = text
    self.archived = archived
    self.creationDate = creationDate
    self.sortDate = sortDate
    self.modificationDate = modificationDate
    self.tagNames = tagNames
    self.attachments = attachments
    self.place = place
  }
}

// MARK: - Our notes of it

extension ForeignNote {
  /// When the note was made, as far as the format tells: a note is not younger than any of its dates.
  var knownCreationDate: Date? { creationDate ?? sortDate ?? (partDates + [modificationDate]).compactMap { $0 }.min() }

  /// A new note.
  func note(id: Note.ID, tags: [Tag.ID], now: Date) -> Note {
    let creation = knownCreationDate ?? fileDate ?? now
    var note = Note(id: id, text: text, creationDate: creation)
    note.archived = archived ?? false
    note.sortDate = sortDate ?? creation
    note.modificationDate = knownModificationDate ?? creation
    note.textModificationDate = textModificationDate
    note.archivedModificationDate = archivedModificationDate
    note.sortDateModificationDate = sortDateModificationDate
    note.tagsModificationDate = tagsModificationDate
    note.attachmentsModificationDate = attachmentsModificationDate
    note.tags = tags.uniqued()
    note.attachments = attachments.map(\.id).uniqued()
    return note
  }

  /// A note that is here, with everything that the format gives. A part that differs without a date of its own was changed
  /// now, and the modification date never goes back: whoever edits an exported file leaves it as it is.
  func applied(to existing: Note, tags: [Tag.ID], now: Date) -> Note {
    var note = existing.made(at: creationDate ?? existing.creationDate)
    var isChangedNow = note.setText(text, at: now) && textModificationDate == nil
    if let archived, note.setArchived(archived, at: now), archivedModificationDate == nil { isChangedNow = true }
    if let sortDate, note.setSortDate(sortDate, at: now), sortDateModificationDate == nil { isChangedNow = true }
    if givesTags, note.setTags(tags, at: now), tagsModificationDate == nil { isChangedNow = true }
    if givesAttachments, note.setAttachments(attachments.map(\.id), at: now), attachmentsModificationDate == nil {
      isChangedNow = true
    }
    note.textModificationDate = textModificationDate ?? note.textModificationDate
    note.archivedModificationDate = archivedModificationDate ?? note.archivedModificationDate
    note.sortDateModificationDate = sortDateModificationDate ?? note.sortDateModificationDate
    note.tagsModificationDate = tagsModificationDate ?? note.tagsModificationDate
    note.attachmentsModificationDate = attachmentsModificationDate ?? note.attachmentsModificationDate
    let latest = isChangedNow ? now : existing.modificationDate
    note.modificationDate = max(latest, knownModificationDate ?? latest)
    return note
  }

  private var knownModificationDate: Date? { modificationDate ?? partDates.compactMap { $0 }.max() }

  private var partDates: [Date?] {
    [
      textModificationDate, archivedModificationDate, sortDateModificationDate, tagsModificationDate,
      attachmentsModificationDate,
    ]
  }
}

extension Note {
  /// The same note with another creation date.
  func made(at date: Date) -> Note {
    if date == creationDate { return self }
    var note = Note(id: id, text: text, creationDate: date)
    note.archived = archived
    note.sortDate = sortDate
    note.modificationDate = modificationDate
    note.textModificationDate = textModificationDate
    note.archivedModificationDate = archivedModificationDate
    note.sortDateModificationDate = sortDateModificationDate
    note.tagsModificationDate = tagsModificationDate
    note.attachmentsModificationDate = attachmentsModificationDate
    note.tags = tags
    note.attachments = attachments
    return note
  }
}
