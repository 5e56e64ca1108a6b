public import Foundation
import SnapshotStore

/// A note from a file of another program. A property that the format does not give is nil. If the note exists here,
/// such a property is neither compared nor changed.
///
/// ```swift
/// let note = ForeignNote(text: "A walk", tagNames: ["Paris"], place: "diary:1")
/// try store.write { try $0.importNotes([note]) }
/// ```
public struct ForeignNote: Equatable, Sendable {
  /// The id, if the note came from this library, for example in an exported file.
  public var id: Note.ID?
  /// The text of the note.
  public var text: String
  /// Whether the note is archived.
  public var archived: Bool?
  /// The date at which the note was made.
  public var creationDate: Date?
  /// The date that lists are sorted by.
  public var sortDate: Date?
  /// The date of the last change of any property.
  public var modificationDate: Date?
  /// The date of the last change of the text; nil if it is unknown. The same holds for the dates below.
  public var textModificationDate: Date? {
    get { parts?.dates.text }
    set { setPart(\.text, newValue) }
  }
  /// The date of the last change of `archived`.
  public var archivedModificationDate: Date? {
    get { parts?.dates.archived }
    set { setPart(\.archived, newValue) }
  }
  /// The date of the last change of `sortDate`.
  public var sortDateModificationDate: Date? {
    get { parts?.dates.sortDate }
    set { setPart(\.sortDate, newValue) }
  }
  /// The date of the last change of the tags.
  public var tagsModificationDate: Date? {
    get { parts?.dates.tags }
    set { setPart(\.tags, newValue) }
  }
  /// The date of the last change of the attachments.
  public var attachmentsModificationDate: Date? {
    get { parts?.dates.attachments }
    set { setPart(\.attachments, newValue) }
  }
  /// The names of the tags, in order.
  public var tagNames: [String]
  /// The attachments, in order.
  public var attachments: [Attachment]
  /// The modification date of the note's file, for a new note without a date of its last change. It is not used for a
  /// note that exists here: copying a file changes its date.
  var fileDate: Date?
  /// Whether the format gives tags. If not, an existing note keeps its own.
  public var givesTags = true
  /// Whether the format gives attachments. If not, an existing note keeps its own.
  public var givesAttachments = true
  /// The place of the note, for messages: `notes.csv:17`.
  public var place: String {
    get { line == 0 ? placeOrFile : placeOrFile.isEmpty ? "line \(line)" : "\(placeOrFile):\(line)" }
    set { (placeOrFile, line) = (newValue, 0) }
  }
  /// Ambiguities in the note's file.
  var warnings: [ImportWarning] = []
  /// The modification dates of the parts. They are stored apart from the other dates: few formats give them, and an
  /// import may read a million notes at once.
  private var parts: PartDatesBox?
  /// The place, or the file that contains `line`. The notes of one file share its name.
  private var placeOrFile: String
  private var line = 0

  /// A note. Set the modification dates of its parts afterwards; few formats give them.
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

  /// A note on a line of a file.
  init(text: String, line: Int, of file: String?) {
    self.init(text: text, place: file ?? "")
    self.line = line
  }

  /// Compares all values. Places are equal if their texts are.
  public static func == (a: ForeignNote, b: ForeignNote) -> Bool {
    a.id == b.id && a.text == b.text && a.archived == b.archived && a.creationDate == b.creationDate
      && a.sortDate == b.sortDate && a.modificationDate == b.modificationDate && a.parts?.dates == b.parts?.dates
      && a.tagNames == b.tagNames && a.attachments == b.attachments && a.fileDate == b.fileDate
      && a.givesTags == b.givesTags && a.givesAttachments == b.givesAttachments && a.place == b.place
      && a.warnings == b.warnings
  }

  /// Whether the modification date of any part is known.
  var hasPartDates: Bool { parts != nil }

  private mutating func setPart(_ part: WritableKeyPath<PartDates, Date?>, _ date: Date?) {
    var dates = parts?.dates ?? PartDates()
    dates[keyPath: part] = date
    parts = dates == PartDates() ? nil : PartDatesBox(dates)
  }
}

/// The modification dates of the parts of a note.
private struct PartDates: Equatable {
  var text: Date?
  var archived: Date?
  var sortDate: Date?
  var tags: Date?
  var attachments: Date?
}

/// Dates on the heap; immutable.
private final class PartDatesBox: Sendable {
  let dates: PartDates

  init(_ dates: PartDates) { self.dates = dates }
}

// MARK: - Notes of this notebook

extension ForeignNote {
  /// The creation date as far as the format gives one. A note is at least as old as each of its dates.
  var knownCreationDate: Date? { creationDate ?? sortDate ?? (partDates + [modificationDate]).compactMap { $0 }.min() }

  /// A new note.
  func note(id: Note.ID, tags: [Tag.ID], now: Date) -> Note {
    let creation = knownCreationDate ?? fileDate ?? now
    var note = Note(id: id, text: text, creationDate: creation)
    note.archived = archived ?? false
    note.sortDate = sortDate ?? creation
    // Other programs write only when a note was created.
    note.modificationDate = knownModificationDate ?? max(creation, fileDate ?? creation)
    note.textModificationDate = textModificationDate
    note.archivedModificationDate = archivedModificationDate
    note.sortDateModificationDate = sortDateModificationDate
    note.tagsModificationDate = tagsModificationDate
    note.attachmentsModificationDate = attachmentsModificationDate
    note.tags = tags.uniqued()
    note.attachments = attachments.map(\.id).uniqued()
    return note
  }

  /// An existing note with everything that the format gives.
  ///
  /// A part that differs and has no date of its own counts as changed now. The modification date never goes back: a
  /// user who edits an exported file usually leaves its old date in it.
  func applied(to existing: Note, tags: [Tag.ID], now: Date) -> Note {
    var note = existing
    if let creationDate, creationDate != note.creationDate { note.creationDate = creationDate }
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
