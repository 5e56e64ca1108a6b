import Foundation
import SnapshotStore

/// Dates in files for other programs: ISO 8601 in UTC, with as many digits as an exact value needs.
///
/// ISO 8601 has no text for a date before the year 1 or after 9999. It is written as `seconds since 2001: 1e+20`, which
/// no reader mistakes for anything else.
enum ForeignDate {
  /// The text of a finite date.
  static func text(_ date: Date) -> String { TextDate.text(of: date) ?? unusualText(date) }

  /// The text of a date that ISO 8601 cannot write.
  static func unusualText(_ date: Date) -> String { "\(prefix)\(date.timeIntervalSinceReferenceDate)" }

  /// The date of a text; nil if the text is not a date, or not finite. Also reads forms that others write: a day alone,
  /// no seconds, a space instead of the `T`, `+0200`, and those of ``InternetDate``. Without a zone the time is UTC, as
  /// in YAML.
  static func date(_ text: String) -> Date? {
    TextDate.date(from: text) ?? TextDate.date(from: completed(text)) ?? InternetDate.date(text) ?? unusualDate(text)
  }

  private static func unusualDate(_ text: String) -> Date? {
    guard text.hasPrefix(prefix), let seconds = Double(text.dropFirst(prefix.count)), seconds.isFinite,
      text == "\(prefix)\(seconds)"
    else {
      return nil
    }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  /// A date with its missing parts added, if the text is a date.
  private static func completed(_ text: String) -> String {
    let day = text.prefix(10)
    guard let gap = text.dropFirst(10).first else { return "\(day)T00:00:00Z" }
    if !" Tt".contains(gap) { return text }
    let rest = text.dropFirst(11).drop { $0 == " " }
    let time = rest.prefix { "0123456789:.".contains($0) }
    var zone = rest.dropFirst(time.count).filter { $0 != " " }
    if zone.isEmpty || zone == "z" { zone = "Z" }
    if zone.count == 3 { zone += ":00" }
    if zone.count == 5 { zone.insert(":", at: zone.index(zone.startIndex, offsetBy: 3)) }
    let seconds = time.isEmpty ? "00:00:00" : time.count == 5 ? time + ":00" : time
    return "\(day)T\(seconds)\(zone)"
  }

  private static let prefix = "seconds since 2001: "
}
