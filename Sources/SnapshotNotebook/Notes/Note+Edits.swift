public import Foundation
import SnapshotStore

/// Edits of a note, built on its setters. An edit without an effect keeps every date and returns false.
extension Note {
  /// Archives the note. It also gets a new sort date, so that it comes first among the archived notes.
  @discardableResult
  public mutating func archive(at date: Date) -> Bool { moveToTop(archived: true, at: date) }

  /// Unarchives the note. It also gets a new sort date, so that it comes first in its lists.
  @discardableResult
  public mutating func unarchive(at date: Date) -> Bool { moveToTop(archived: false, at: date) }

  /// Appends a tag. A tag that the note has already keeps its place.
  @discardableResult
  public mutating func addTag(_ tag: Tag.ID, at date: Date) -> Bool {
    tags.contains(tag) ? false : setTags(tags + [tag], at: date)
  }

  /// Removes a tag from the note.
  @discardableResult
  public mutating func removeTag(_ tag: Tag.ID, at date: Date) -> Bool {
    tags.contains(tag) ? setTags(tags.filter { $0 != tag }, at: date) : false
  }

  /// Removes attachments from the note. Attachments that it does not have are ignored.
  @discardableResult
  public mutating func removeAttachments(_ doomed: some Sequence<Attachment.ID>, at date: Date) -> Bool {
    let doomed = Set(doomed)
    return attachments.contains(where: doomed.contains)
      && setAttachments(attachments.filter { !doomed.contains($0) }, at: date)
  }

  /// Makes a deleted note newer than its deletion.
  mutating func revive(at date: Date, deletedAt deletionDate: Date?) {
    let date = date.following(latestModificationDate).following(deletionDate.map { $0 + 1 })
    textModificationDate = date
    modificationDate = date
  }

  private mutating func moveToTop(archived: Bool, at date: Date) -> Bool {
    guard setArchived(archived, at: date) else { return false }
    setSortDate(date, at: date)
    return true
  }
}

extension Note {
  /// Whether both notes are equal to the last bit. `==` treats texts in different normalisations as equal, and 0 and
  /// -0.
  func hasSameBits(as other: Note) -> Bool {
    self == other && text.hasSameBytes(as: other.text)
      && zip(tags + attachments, other.tags + other.attachments).allSatisfy { $0.hasSameBytes(as: $1) }
      && zip(dates, other.dates).allSatisfy { $0?.bits == $1?.bits }
  }

  private var dates: [Date?] {
    [
      creationDate, sortDate, modificationDate, textModificationDate, archivedModificationDate,
      sortDateModificationDate, tagsModificationDate, attachmentsModificationDate,
    ]
  }
}

extension Date {
  fileprivate var bits: UInt64 { timeIntervalSinceReferenceDate.bitPattern }
}
