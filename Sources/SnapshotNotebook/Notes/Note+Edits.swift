public import Foundation
import SnapshotStore

/// What a user does to a note, made of its setters. What changes nothing leaves every date as it is, and gives false.
extension Note {
  /// Puts the note away. It gets a new sort date too, so that it stands first among the notes that are put away.
  @discardableResult
  public mutating func archive(at date: Date) -> Bool { moveToTop(archived: true, at: date) }

  /// Takes the note back. It gets a new sort date too, so that it stands first in its lists.
  @discardableResult
  public mutating func unarchive(at date: Date) -> Bool { moveToTop(archived: false, at: date) }

  /// Puts a tag behind the others; one that the note has stays where it is.
  @discardableResult
  public mutating func addTag(_ tag: Tag.ID, at date: Date) -> Bool {
    tags.contains(tag) ? false : setTags(tags + [tag], at: date)
  }

  /// Takes a tag off.
  @discardableResult
  public mutating func removeTag(_ tag: Tag.ID, at date: Date) -> Bool {
    tags.contains(tag) ? setTags(tags.filter { $0 != tag }, at: date) : false
  }

  /// Takes attachments off; those that the note does not have are passed over.
  @discardableResult
  public mutating func removeAttachments(_ doomed: some Sequence<Attachment.ID>, at date: Date) -> Bool {
    let doomed = Set(doomed)
    return attachments.contains(where: doomed.contains)
      && setAttachments(attachments.filter { !doomed.contains($0) }, at: date)
  }

  /// Makes a note that was deleted one that was changed after that.
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
  /// Whether both are the same to the last bit. `==` holds texts in different normalisations, and 0 and -0, to be equal.
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
