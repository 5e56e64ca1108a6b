import Foundation

extension Date {
  /// Noon of a day of January 2020, UTC.
  static func day(_ day: Int) -> Date { Date(timeIntervalSinceReferenceDate: 599_529_600 + Double(day - 1) * 86_400) }
}
