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

  /// Reads this form, and forms that others write: a day alone, no seconds, a space instead of the `T`, `+0200`.
  /// Without a zone the time is UTC, as in YAML.
  static func date(_ text: String) -> Date? {
    TextDate.date(from: text) ?? number(text).map(Date.init(timeIntervalSinceReferenceDate:))
      ?? TextDate.date(from: completed(text))
  }

  /// A number of seconds as this library writes it, which is never a mere year.
  private static func number(_ text: String) -> Double? {
    guard let number = Double(text), number.isFinite, "\(number)" == text else { return nil }
    return number
  }

  /// A date with its missing parts added, if the text is a date.
  private static func completed(_ text: String) -> String {
    let (day, rest) = (text.prefix(10), text.dropFirst(10).drop { " T".contains($0) })
    let time = rest.prefix { "0123456789:.".contains($0) }
    var zone = rest.dropFirst(time.count).filter { $0 != " " }
    if zone.isEmpty { zone = "Z" }
    if zone.count == 3 { zone += ":00" }
    if zone.count == 5 { zone.insert(":", at: zone.index(zone.startIndex, offsetBy: 3)) }
    let seconds = time.isEmpty ? "00:00:00" : time.count == 5 ? time + ":00" : time
    return "\(day)T\(seconds)\(zone)"
  }
}
