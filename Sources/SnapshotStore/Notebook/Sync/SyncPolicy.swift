import Foundation

/// Who wins where two copies of a notebook differ.
public enum SyncPolicy: String, CaseIterable, Sendable {
  /// Each property as the copy has it that changed it later. What is of the same second is decided by comparing the values,
  /// so that merging in either direction comes to the same.
  case newest
  /// Ours, whatever the dates say: what is here stays as it is, and only what is new there is added.
  ///
  /// The dates stay too. So what is older here does not win there in turn: by ``newest`` the other copy keeps its own, unless
  /// it takes over ours by ``incoming``.
  case local
  /// Theirs, whatever the dates say, deletions without a date included; what they do not give at all stays. Of the dates of
  /// a property the later one is kept.
  case incoming
}

/// The policies, and one more that is only for merges in which people are told of what nothing decides.
enum SyncRule {
  case newest
  /// As `newest`, but what is of the same second stays as ours has it.
  case newestOrOurs
  case ours
  case theirs

  init(_ policy: SyncPolicy) {
    switch policy {
    case .newest: self = .newest
    case .local: self = .ours
    case .incoming: self = .theirs
    }
  }
}

/// A modification date as far as it counts for who is newer: to the second, because other programs keep no more of it. A
/// date that is not known, or no date at all, is older than any other.
///
/// This is the one notion of newer between copies. What is of the same second is decided by comparing values, or not at all.
/// A detached copy of a note (``NoteMerge``) is of this process and its clock, which keeps all digits, so those count there.
struct SyncSecond: Comparable {
  private let second: Double

  init(_ date: Date?) {
    let seconds = date?.timeIntervalSinceReferenceDate ?? -.infinity
    second = seconds.isFinite ? seconds.rounded(.down) : -.infinity
  }

  var isKnown: Bool { second > -.infinity }

  static func < (a: SyncSecond, b: SyncSecond) -> Bool { a.second < b.second }

  /// The later of two dates, to the last digit; one that is not known is none.
  static func later(_ a: Date?, _ b: Date?) -> Date? {
    guard let a, let b else { return a ?? b }
    return max(a, b)
  }
}
