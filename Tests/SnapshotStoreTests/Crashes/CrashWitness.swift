@testable import SnapshotStore
@testable import TestSupport

/// What a program was promised: the model that every disk is checked against after a crash.
struct CrashWitness: Sendable {
  /// What the file may hold, oldest first; nil stands for no file. The first is what was acknowledged last.
  private(set) var allowed: [Counters?]
  /// How many commits were never acknowledged.
  var unacknowledged = 0

  init(before: Counters?) { allowed = [before] }

  /// A value may be in the file from now on.
  mutating func submit(_ value: Counters) { allowed.append(value) }

  /// A value, or a later one, is in the file from now on.
  mutating func acknowledge(_ value: Counters) {
    if let index = allowed.lastIndex(of: value) { allowed.removeFirst(index) }
  }
}
