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

  /// The date of a text; nil if the text is not a date, or not finite.
  static func date(_ text: String) -> Date? {
    if let date = standardDate(text) { return date }
    guard text.hasPrefix(prefix), let seconds = Double(text.dropFirst(prefix.count)), seconds.isFinite else {
      return nil
    }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  /// An ISO 8601 date. Its zone may lack the colon, as in `+0000`.
  static func standardDate(_ text: String) -> Date? {
    if let date = TextDate.date(from: text) { return date }
    let zone = text.utf8.suffix(5)
    guard zone.first == UInt8(ascii: "+") || zone.first == UInt8(ascii: "-"),
      zone.dropFirst().allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    let minutes = zone.index(zone.endIndex, offsetBy: -2)
    return TextDate.date(from: "\(text[..<minutes]):\(text[minutes...])")
  }

  /// The expected form of a date, for error messages.
  static let expectation = "an ISO 8601 date in UTC, such as 2026-11-21T15:30:00Z"

  private static let prefix = "seconds since 2001: "
}
