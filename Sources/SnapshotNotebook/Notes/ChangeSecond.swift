import Foundation

/// A modification date as far as it counts for who is newer: to the second, because other programs keep no more of it. A
/// date that is not known, or no date at all, is older than any other.
///
/// This is the one notion of newer between copies. What is of the same second is decided by comparing values, or not at all.
/// A detached copy of a note (``NoteMerge``) is of this process and its clock, which keeps all digits, so those count there.
struct ChangeSecond: Comparable {
  private let second: Double

  init(_ date: Date?) {
    let seconds = date?.timeIntervalSinceReferenceDate ?? -.infinity
    second = seconds.isFinite ? seconds.rounded(.down) : -.infinity
  }

  var isKnown: Bool { second > -.infinity }

  static func < (a: ChangeSecond, b: ChangeSecond) -> Bool { a.second < b.second }

  /// The later of two dates, to the last digit; one that is not known is none.
  static func later(_ a: Date?, _ b: Date?) -> Date? {
    guard let a, let b else { return a ?? b }
    return max(a, b)
  }
}
