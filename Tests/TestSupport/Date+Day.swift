import Foundation

extension Date {
  /// Midnight of a day of January 2020, in UTC.
  ///
  /// The seconds are an argument: the compiler takes seconds for a `+` after an implicit member in a longer expression.
  static func day(_ day: Int, plus seconds: TimeInterval = 0) -> Date {
    Date(timeIntervalSinceReferenceDate: 599_529_600 + Double(day - 1) * 86_400 + seconds)
  }
}
