public import Foundation
import SnapshotStore

/// A note from a file of another program. What the format does not give is nil, and is neither compared nor changed
/// when the note is here already.
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
  public var textModificationDate: Date? {
    get { parts?.dates.text }
    set { setPart(\.text, newValue) }
  }
  /// When `archived` was last changed.
  public var archivedModificationDate: Date? {
    get { parts?.dates.archived }
    set { setPart(\.archived, newValue) }
  }
  /// When `sortDate` was last changed.
  public var sortDateModificationDate: Date? {
    get { parts?.dates.sortDate }
    set { setPart(\.sortDate, newValue) }
  }
  /// When the tags were last changed.
  public var tagsModificationDate: Date? {
    get { parts?.dates.tags }
    set { setPart(\.tags, newValue) }
  }
  /// When the attachments were last changed.
  public var attachmentsModificationDate: Date? {
    get { parts?.dates.attachments }
    set { setPart(\.attachments, newValue) }
  }
  /// The names of the tags, in order.
  public var tagNames: [String]
  /// The attachments, in order.
  public var attachments: [Attachment]
  /// When the file of the note was changed: for a new note that has no other date. It says nothing of a note that is
  /// here, since it changes whenever somebody copies the file.
  public var fileDate: Date?
  /// Whether the format tells the tags; if it does not, a note that is here keeps its own.
  public var givesTags = true
  /// Whether the format tells the attachments.
  public var givesAttachments = true
  /// Where the note stands, for messages: `notes.csv:17`.
  public var place: String {
    get { line == 0 ? placeOrFile : placeOrFile.isEmpty ? "line \(line)" : "\(placeOrFile):\(line)" }
    set { (placeOrFile, line) = (newValue, 0) }
  }
  /// What in its file could be meant otherwise than it is taken.
  var doubts: [ForeignDoubt] = []
  /// When its parts were changed. Not beside the other dates: few formats know, and a million of notes are read at
  /// once.
  private var parts: PartDatesBox?
  /// The place, or the file that `line` is in: notes of one file share its name.
  private var placeOrFile: String
  private var line = 0

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
    placeOrFile = place
  }

  /// A note in a line of a file.
  init(text: String, line: Int, of file: String?) {
    self.init(text: text, place: file ?? "")
    self.line = line
  }

  /// Notes are the same if their places read the same.
  public static func == (a: ForeignNote, b: ForeignNote) -> Bool {
    a.id == b.id && a.text == b.text && a.archived == b.archived && a.creationDate == b.creationDate
      && a.sortDate == b.sortDate && a.modificationDate == b.modificationDate && a.parts?.dates == b.parts?.dates
      && a.tagNames == b.tagNames && a.attachments == b.attachments && a.fileDate == b.fileDate
      && a.givesTags == b.givesTags && a.givesAttachments == b.givesAttachments && a.place == b.place
      && a.doubts == b.doubts
  }

  /// Whether it is known when any part was changed.
  var hasPartDates: Bool { parts != nil }

  private mutating func setPart(_ part: WritableKeyPath<PartDates, Date?>, _ date: Date?) {
    var dates = parts?.dates ?? PartDates()
    dates[keyPath: part] = date
    parts = dates == PartDates() ? nil : PartDatesBox(dates)
  }
}

/// When the parts of a note were last changed.
private struct PartDates: Equatable {
  var text: Date?
  var archived: Date?
  var sortDate: Date?
  var tags: Date?
  var attachments: Date?
}

/// Dates on the heap; never changed.
private final class PartDatesBox: Sendable {
  let dates: PartDates

  init(_ dates: PartDates) { self.dates = dates }
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

  /// A note that is here, with everything that the format gives. A part that differs without a date of its own was
  /// changed now, and the modification date never goes back: whoever edits an exported file leaves it as it is.
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
    if !hasPartDates { return [] }
    return [
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
