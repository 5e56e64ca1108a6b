import Foundation

/// What dates say about a note that one side deleted and the other one has.
enum DeletionOutcome {
  case isDeleted
  case isKept
  /// Both were in the same second, or of neither is known when it was.
  case isUndecided
}

extension DeletedNote {
  /// Which was later, the deletion or the last change of a note.
  func outcome(against note: Note) -> DeletionOutcome {
    outcome(latestChange: note.latestModificationDate, hasPropertyDates: note.hasPropertyDates)
  }

  /// Which was later, the deletion or the last change. A date that is not known never wins against one that is.
  ///
  /// - Parameter hasPropertyDates: whether it is known of any property when it was changed. Every note has a modification date, which
  ///   is a guess where no property has one.
  func outcome(latestChange: Date?, hasPropertyDates: Bool) -> DeletionOutcome {
    let (deleted, changed) = (ChangeSecond(deletionDate), ChangeSecond(latestChange))
    if !deleted.isKnown { return hasPropertyDates ? .isKept : .isUndecided }
    if deleted == changed { return .isUndecided }
    return deleted > changed ? .isDeleted : .isKept
  }

  /// The tombstone of a note that both sides have deleted: the later one whose date is known.
  func merged(with other: DeletedNote) -> DeletedNote {
    ChangeSecond.later(deletionDate, other.deletionDate) == deletionDate ? self : other
  }
}
