public import Foundation
public import SnapshotStore

/// A note: a text with dates, and the tags and attachments that it refers to, in the user's order.
///
/// A note is a plain value. Changed on its own, through its setters, it keeps its modification dates right; to change one
/// that is in a notebook, use the notebook's setters, or put a changed copy back with `upsert`.
public struct Note: Record {
  /// Identifies the note. Positive; 0…999 are for notes that come with a program, others are drawn at random from
  /// 1000…2^53−1, so that every JSON reader holds them exactly.
  public let id: Int64
  /// What was written.
  public internal(set) var text: String
  /// Whether the note is put away.
  public internal(set) var archived: Bool
  /// When the note was made.
  public let creationDate: Date
  /// What lists are ordered by.
  public internal(set) var sortDate: Date
  /// When anything of the note was last changed.
  public internal(set) var modificationDate: Date
  /// When the text was last changed, if that is known; likewise the others.
  public internal(set) var textModificationDate: Date?
  /// When `archived` was last changed.
  public internal(set) var archivedModificationDate: Date?
  /// When `sortDate` was last changed.
  public internal(set) var sortDateModificationDate: Date?
  /// When `tags` was last changed.
  public internal(set) var tagsModificationDate: Date?
  /// When `attachments` was last changed.
  public internal(set) var attachmentsModificationDate: Date?
  /// The tags, each once.
  public internal(set) var tags: [Tag.ID]
  /// The attachments, each once.
  public internal(set) var attachments: [Attachment.ID]

  /// A new note, all of whose dates are its creation date.
  public init(id: Int64, text: String, creationDate: Date) {
    self.id = id
    self.text = text
    archived = false
    self.creationDate = creationDate
    sortDate = creationDate
    modificationDate = creationDate
    textModificationDate = creationDate
    archivedModificationDate = creationDate
    sortDateModificationDate = creationDate
    tagsModificationDate = creationDate
    attachmentsModificationDate = creationDate
    tags = []
    attachments = []
  }
}

// MARK: - Indexes

extension Note {
  /// Notes by the date that lists are ordered by. A date that is no number stands first.
  public static let bySortDate = Index<Note, Date>("sortDate") { note in
    note.sortDate == note.sortDate ? note.sortDate : Date(timeIntervalSinceReferenceDate: -.infinity)
  }

  /// Notes by each of their tags.
  public static let byTag = Index<Note, Tag.ID>("tag", each: { $0.tags })

  /// Notes by each of their attachments.
  public static let byAttachment = Index<Note, Attachment.ID>("attachment", each: { $0.attachments })

  /// All indexes of notes.
  public static let indexes: [any RecordIndex<Note>] = [bySortDate, byTag, byAttachment, byTimeline]
}

// MARK: - Merging

extension Note {
  /// Each part of a note with the date of its last change.
  public static let mergeRules: [MergeRule] = [
    .together(["text"], modified: "textModificationDate"),
    .together(["archived"], modified: "archivedModificationDate"),
    .together(["sortDate"], modified: "sortDateModificationDate"),
    .elements("tags", modified: "tagsModificationDate"),
    .elements("attachments", modified: "attachmentsModificationDate"),
    .modified("modificationDate"),
  ]
}

// MARK: - Setters

/// A setter that changes nothing leaves every date as it is, and gives false. One that does stamps the property with the date
/// given, or, if that is before the property's own date, with a second more than that: a note that was changed by a
/// clock that is ahead can be changed here all the same, and the change is the newer one for every other copy.
extension Note {
  /// Changes the text.
  @discardableResult
  public mutating func setText(_ text: String, at date: Date) -> Bool {
    // Not `==`, which holds texts in different normalisations to be equal.
    guard !self.text.hasSameBytes(as: text) else { return false }
    self.text = text
    textModificationDate = stamp(date, after: textModificationDate)
    return true
  }

  /// Puts the note away or takes it back.
  @discardableResult
  public mutating func setArchived(_ archived: Bool, at date: Date) -> Bool {
    guard self.archived != archived else { return false }
    self.archived = archived
    archivedModificationDate = stamp(date, after: archivedModificationDate)
    return true
  }

  /// Changes the date that lists are ordered by.
  @discardableResult
  public mutating func setSortDate(_ sortDate: Date, at date: Date) -> Bool {
    guard self.sortDate != sortDate else { return false }
    self.sortDate = sortDate
    sortDateModificationDate = stamp(date, after: sortDateModificationDate)
    return true
  }

  /// Replaces the tags; an id that occurs twice is taken once.
  @discardableResult
  public mutating func setTags(_ tags: [Tag.ID], at date: Date) -> Bool {
    let tags = tags.uniqued()
    guard self.tags != tags else { return false }
    self.tags = tags
    tagsModificationDate = stamp(date, after: tagsModificationDate)
    return true
  }

  /// Replaces the attachments; an id that occurs twice is taken once.
  @discardableResult
  public mutating func setAttachments(_ attachments: [Attachment.ID], at date: Date) -> Bool {
    let attachments = attachments.uniqued()
    guard self.attachments != attachments else { return false }
    self.attachments = attachments
    attachmentsModificationDate = stamp(date, after: attachmentsModificationDate)
    return true
  }
}

extension Note {
  /// The date of a change that is made now; the note's own follows.
  private mutating func stamp(_ date: Date, after old: Date?) -> Date {
    let stamp = date.following(old)
    // A date that is no number is kept for `problems()` to refuse.
    modificationDate = stamp < modificationDate ? modificationDate : stamp
    return stamp
  }
}

extension Date {
  /// This date, or a second after another one if it is before that. Dates count to the second between copies.
  func following(_ other: Date?) -> Date {
    guard let other, self < other, timeIntervalSinceReferenceDate.isFinite else { return self }
    return other + 1
  }
}

extension Array where Element: Hashable {
  /// The elements in order, each once.
  func uniqued() -> [Element] {
    guard hasDuplicates else { return self }
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }

  /// Whether an element occurs twice. Few elements are compared with each other: that is quicker than hashing them.
  var hasDuplicates: Bool {
    if count > 8 { return Set(self).count != count }
    for (position, element) in enumerated().dropFirst() where self[..<position].contains(element) { return true }
    return false
  }
}
