import Foundation
import SnapshotStore

/// Dates in files for other programs: ISO 8601 in UTC with as many digits as exactness needs. A date that has no such
/// text, before the year 1 or after 9999, is written as `seconds since 2001: 1e+20`, which nobody takes for something
/// else.
enum ForeignDate {
  /// The text of a date, which is finite.
  static func text(_ date: Date) -> String { TextDate.text(of: date) ?? unusualText(date) }

  /// The text of a date that has none in ISO 8601.
  static func unusualText(_ date: Date) -> String { "\(prefix)\(date.timeIntervalSinceReferenceDate)" }

  /// The date of a text; nil if it is none, or not finite.
  static func date(_ text: String) -> Date? {
    if let date = standardDate(text) { return date }
    guard text.hasPrefix(prefix), let seconds = Double(text.dropFirst(prefix.count)), seconds.isFinite else {
      return nil
    }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  /// An ISO 8601 date, whose zone may also lack its colon, as in `+0000`.
  static func standardDate(_ text: String) -> Date? {
    if let date = TextDate.date(from: text) { return date }
    let zone = text.utf8.suffix(5)
    guard zone.first == UInt8(ascii: "+") || zone.first == UInt8(ascii: "-"),
      zone.dropFirst().allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    let minutes = zone.index(zone.endIndex, offsetBy: -2)
    return TextDate.date(from: "\(text[..<minutes]):\(text[minutes...])")
  }

  /// What an error says is expected where there is no date.
  static let expectation = "an ISO 8601 date in UTC, such as 2026-11-21T15:30:00Z"

  private static let prefix = "seconds since 2001: "
}
