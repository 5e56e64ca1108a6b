public import Foundation
public import SnapshotStore

/// A note: a text with dates, and references to tags and attachments in the user's order.
///
/// ```swift
/// if let note = notebook.notes[id] {
///   print(note.title, note.links, note.tags)
/// }
/// ```
///
/// A note is a plain value. Its own setters keep its modification dates right. To change a note of a notebook, use the
/// notebook's setters, or put a changed copy back with `upsert`.
public struct Note: Record {
  /// Identifies the note; not negative. 0…999 are for notes that come with a program. Other ids are drawn at random
  /// from 1000…2^53−1, so that every JSON reader holds them exactly.
  public let id: Int64
  /// The text of the note.
  public internal(set) var text: String
  /// Whether the note is archived.
  public internal(set) var archived: Bool
  /// The date at which the note was made.
  public internal(set) var creationDate: Date
  /// The date that lists are sorted by.
  public internal(set) var sortDate: Date
  /// The date of the last change of any property.
  public internal(set) var modificationDate: Date
  /// The date of the last change of `text`; nil if it is unknown. The same holds for the dates below.
  public internal(set) var textModificationDate: Date?
  /// The date of the last change of `archived`.
  public internal(set) var archivedModificationDate: Date?
  /// The date of the last change of `sortDate`.
  public internal(set) var sortDateModificationDate: Date?
  /// The date of the last change of `tags`.
  public internal(set) var tagsModificationDate: Date?
  /// The date of the last change of `attachments`.
  public internal(set) var attachmentsModificationDate: Date?
  /// The tags, each once.
  public internal(set) var tags: [Tag.ID]
  /// The attachments, each once.
  public internal(set) var attachments: [Attachment.ID]

  /// A new note. All its dates are its creation date.
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
  /// Notes by each of their tags.
  public static let byTag = Index("tag", each: \Note.tags)

  /// Notes by each of their attachments.
  public static let byAttachment = Index("attachment", each: \Note.attachments)
}

// MARK: - Merging

extension Note {
  /// Each property with the date of its last change.
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

/// Setters of a note. A setter without an effect keeps every date and returns false.
///
/// A setter with an effect stamps the property with the given date. If the property's own date is later, the stamp is a
/// second after that. So a note can still be changed after a change by a fast clock. Every other copy sees the new
/// change as the newer one.
extension Note {
  /// Replaces the text.
  @discardableResult
  public mutating func setText(_ text: String, at date: Date) -> Bool {
    // Not `==`, which treats texts in different normalisations as equal.
    guard !self.text.hasSameBytes(as: text) else { return false }
    self.text = text
    textModificationDate = stamp(date, after: textModificationDate)
    return true
  }

  /// Archives or unarchives the note.
  @discardableResult
  public mutating func setArchived(_ archived: Bool, at date: Date) -> Bool {
    guard self.archived != archived else { return false }
    self.archived = archived
    archivedModificationDate = stamp(date, after: archivedModificationDate)
    return true
  }

  /// Changes the date that lists are sorted by.
  @discardableResult
  public mutating func setSortDate(_ sortDate: Date, at date: Date) -> Bool {
    guard self.sortDate != sortDate else { return false }
    self.sortDate = sortDate
    sortDateModificationDate = stamp(date, after: sortDateModificationDate)
    return true
  }

  /// Replaces the tags. A repeated id is taken once.
  @discardableResult
  public mutating func setTags(_ tags: [Tag.ID], at date: Date) -> Bool {
    let tags = tags.uniqued()
    guard self.tags != tags else { return false }
    self.tags = tags
    tagsModificationDate = stamp(date, after: tagsModificationDate)
    return true
  }

  /// Replaces the attachments. A repeated id is taken once.
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
  /// The stamp of a change at a date. Updates the note's own modification date.
  private mutating func stamp(_ date: Date, after old: Date?) -> Date {
    let stamp = date.following(old)
    // A date that is not a number is kept, so that `problems()` can refuse it.
    modificationDate = stamp < modificationDate ? modificationDate : stamp
    return stamp
  }
}

extension Date {
  /// This date, or a second after another date that is later. Copies compare dates to the second.
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

  /// Whether an element is repeated. Comparing a few elements is faster than hashing them.
  var hasDuplicates: Bool {
    if count > 8 { return Set(self).count != count }
    for (position, element) in enumerated().dropFirst() where self[..<position].contains(element) { return true }
    return false
  }
}
