import Foundation

/// A modification date, truncated to the second, because other programs keep no more of it. An unknown date, and no
/// date at all, are older than any other.
///
/// All code that decides which of two copies is newer uses this type. Changes within one second are decided by
/// comparing the values, or not at all. A detached copy of a note (``NoteMerge``) comes from the same process and
/// clock, so there all digits count.
struct ChangeSecond: Comparable {
  private let second: Double

  init(_ date: Date?) {
    let seconds = date?.timeIntervalSinceReferenceDate ?? -.infinity
    second = seconds.isFinite ? seconds.rounded(.down) : -.infinity
  }

  var isKnown: Bool { second > -.infinity }

  static func < (a: ChangeSecond, b: ChangeSecond) -> Bool { a.second < b.second }

  /// The later of two dates, to the last digit. An unknown date counts as none.
  static func later(_ a: Date?, _ b: Date?) -> Date? {
    guard let a, let b else { return a ?? b }
    return max(a, b)
  }
}
