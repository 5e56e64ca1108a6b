import Foundation

/// The dates at which the properties of a note were changed.
extension Note {
  /// The date of the last change of each property; nil where it is unknown.
  var propertyDates: [Date?] {
    [
      textModificationDate, archivedModificationDate, sortDateModificationDate, tagsModificationDate,
      attachmentsModificationDate,
    ]
  }

  /// Whether the date of any property is known.
  var hasPropertyDates: Bool { propertyDates.contains { ChangeSecond($0).isKnown } }

  func hasSamePropertyDates(as other: Note) -> Bool {
    textModificationDate == other.textModificationDate && archivedModificationDate == other.archivedModificationDate
      && sortDateModificationDate == other.sortDateModificationDate
      && tagsModificationDate == other.tagsModificationDate
      && attachmentsModificationDate == other.attachmentsModificationDate
  }

  /// The date of the last change. It is `modificationDate`, unless a clock was set back in between.
  var latestModificationDate: Date { propertyDates.reduce(modificationDate) { max($0, $1 ?? $0) } }
}
