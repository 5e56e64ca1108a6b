import SnapshotFoundation

/// Dates in the names of files, and the time between two of them.
extension Date {
  /// The time to the second, for the names of files: `2026-11-21T15.30.12Z`. A date before or after the years of this
  /// form is replaced by the first or the last one.
  var inFileName: String {
    // From 1901 to 9999.
    let (first, last) = (-3_155_673_600.0, 252_423_993_599.0)
    let seconds = timeIntervalSinceReferenceDate
    let time = seconds.isNaN ? 0 : min(max(seconds, first), last)
    return Date(timeIntervalSinceReferenceDate: time).formatted(.iso8601).replacing(":", with: ".")
  }

  /// The date that is written as `inFileName`; nil for another text.
  init?(inFileName text: Substring) {
    let time = text.replacing(".", with: ":")
    guard let date = try? Date.ISO8601FormatStyle().parse(String(time)) else { return nil }
    self = date
  }

  /// The time between two dates in either order; a century at most.
  func distance(from other: Date) -> Duration {
    let seconds = abs(timeIntervalSince(other))
    return seconds < 3_155_760_000 ? .seconds(seconds) : .century
  }
}

extension Duration {
  static var century: Duration { .seconds(3_155_760_000) }
}
