import Foundation

/// When the properties of a note were changed.
extension Note {
  /// When each property was last changed, as far as that is known.
  var propertyDates: [Date?] {
    [
      textModificationDate, archivedModificationDate, sortDateModificationDate, tagsModificationDate,
      attachmentsModificationDate,
    ]
  }

  /// Whether it is known of any property when it was changed.
  var hasPropertyDates: Bool { propertyDates.contains { ChangeSecond($0).isKnown } }

  func hasSamePropertyDates(as other: Note) -> Bool {
    textModificationDate == other.textModificationDate && archivedModificationDate == other.archivedModificationDate
      && sortDateModificationDate == other.sortDateModificationDate
      && tagsModificationDate == other.tagsModificationDate
      && attachmentsModificationDate == other.attachmentsModificationDate
  }

  /// When anything was last changed: that is `modificationDate`, unless a clock went back in between.
  var latestModificationDate: Date { propertyDates.reduce(modificationDate) { max($0, $1 ?? $0) } }
}
