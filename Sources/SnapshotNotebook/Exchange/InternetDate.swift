import Foundation
import SnapshotStore

/// Dates as mail and feeds have them: `Wed, 26 Mar 2014 17:05:46 +0000` (RFC 5322, sections 3.3 and 4.3).
///
/// The day of the week may be another one. Comments are ignored. Seconds may be missing, and a time without a zone is
/// in UTC. A zone may have a colon, as in `+02:00`. Of the names of zones, those of the RFC are known. Any other name
/// makes the text unreadable, because one name may mean several zones.
enum InternetDate {
  /// The longest text that may be a date.
  private static let limit = 64

  static func date(_ text: String) -> Date? {
    if text.utf8.count > limit { return nil }
    var words = withoutComments(text).split(whereSeparator: \.isWhitespace)[...]
    if let day = words.first, days.contains(day.lowercased()) {
      words = words.dropFirst(words.dropFirst().first == "," ? 2 : 1)
    }
    guard (4...5).contains(words.count), let day = number(words.removeFirst(), 1...2),
      let month = months.firstIndex(of: words.removeFirst().lowercased()), let year = year(words.removeFirst()),
      let time = time(words.removeFirst()), let zone = zone(words.first ?? "Z")
    else { return nil }
    return TextDate.date(from: "\(year)-\(padded(month + 1))-\(padded(day))T\(time)\(zone)")
  }

  /// Comments are in parentheses, such as the name of the zone behind its number. A comma becomes a word.
  private static func withoutComments(_ text: String) -> String {
    var depth = 0
    return text.reduce(into: "") { text, character in
      if character == "(" { depth += 1 }
      if depth == 0 { text += character == "," ? " , " : "\(character)" }
      if character == ")" { depth -= 1 }
    }
  }

  private static let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

  /// The hours from UTC.
  private static let zones = [
    "UT": 0, "UTC": 0, "GMT": 0, "Z": 0, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8,
    "PDT": -7,
  ]

  /// Years of two and three digits count as in section 4.3.
  private static func year(_ text: Substring) -> String? {
    guard let year = number(text, 2...4) else { return nil }
    let full = text.count == 4 ? year : text.count == 3 || year >= 50 ? year + 1_900 : year + 2_000
    return "\(padded(full / 100))\(padded(full % 100))"
  }

  private static func time(_ text: Substring) -> String? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.enumerated().compactMap { number($0.element, $0.offset == 0 ? 1...2 : 2...2) }
    guard (2...3).contains(parts.count), numbers.count == parts.count else { return nil }
    return (numbers + (numbers.count == 2 ? [0] : [])).map(padded).joined(separator: ":")
  }

  private static func zone(_ text: Substring) -> String? {
    if let hours = zones[text.uppercased()] { return "\(hours < 0 ? "-" : "+")\(padded(abs(hours))):00" }
    guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
    var digits = String(text.dropFirst())
    if digits.utf8.count == 5, digits.dropFirst(2).first == ":" { digits.removeAll { $0 == ":" } }
    guard number(digits[...], 4...4) != nil else { return nil }
    return "\(sign)\(digits.prefix(2)):\(digits.suffix(2))"
  }

  private static func number(_ text: Substring, _ digits: ClosedRange<Int>) -> Int? {
    let isNumber = text.utf8.allSatisfy { (0x30...0x39).contains($0) } && digits.contains(text.utf8.count)
    return isNumber ? Int(text) : nil
  }

  private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
