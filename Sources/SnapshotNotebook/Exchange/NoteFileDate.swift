import Foundation
import SnapshotStore

/// Dates in the files of notes: ISO 8601 in UTC, exact to the bit.
enum NoteFileDate {
  /// The text of a date; nil if it is not finite. A date outside the years 1 to 9999 is a number of seconds since 2001.
  static func text(_ date: Date) -> String? {
    let seconds = date.timeIntervalSinceReferenceDate
    guard seconds.isFinite else { return nil }
    return TextDate.text(of: date) ?? "\(seconds)"
  }

  /// Reads this form, and those of ``ForeignDate``.
  static func date(_ text: String) -> Date? {
    number(text).map(Date.init(timeIntervalSinceReferenceDate:)) ?? ForeignDate.date(text)
  }

  /// A number of seconds as this library writes it, which is never a mere year.
  private static func number(_ text: String) -> Double? {
    guard let number = Double(text), number.isFinite, "\(number)" == text else { return nil }
    return number
  }
}
