import Foundation
import SnapshotStore

/// The result of comparing dates for a note that one side deleted and the other side has.
enum DeletionChoice {
  case isDeleted
  case isKept
  /// Both happened in the same second, or neither date is known.
  case isUndecided
}

extension DeletedNote {
  /// Compares the date of the deletion with the last change of a note.
  func choice(against note: Note) -> DeletionChoice {
    choice(latestChange: note.latestModificationDate, hasPropertyDates: note.hasPropertyDates)
  }

  /// Compares the date of the deletion with the last change. An unknown date never wins against a known one.
  ///
  /// - Parameter hasPropertyDates: whether the date of any property is known. Every note has a modification date, but
  ///   it is a guess if no property has a date.
  func choice(latestChange: Date?, hasPropertyDates: Bool) -> DeletionChoice {
    let (deleted, changed) = (ChangeSecond(deletionDate), ChangeSecond(latestChange))
    if !deleted.isKnown { return hasPropertyDates ? .isKept : .isUndecided }
    if deleted == changed { return .isUndecided }
    return deleted > changed ? .isDeleted : .isKept
  }

  /// The tombstone of a note that both sides have deleted: the later one with a known date.
  func merged(with other: DeletedNote) -> DeletedNote {
    ChangeSecond.later(deletionDate, other.deletionDate) == deletionDate ? self : other
  }
}
