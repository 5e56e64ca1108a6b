@testable import SnapshotStore
@testable import TestSupport

/// The values acknowledged to a program: the model that every disk is checked against after a crash.
struct CrashWitness: Sendable {
  /// The possible values of the file, oldest first; nil stands for no file. The first is the last acknowledged one.
  private(set) var allowed: [Counters?]
  /// The number of commits that were never acknowledged.
  var unacknowledged = 0

  init(before: Counters?) { allowed = [before] }

  /// Records that a value may be in the file from now on.
  mutating func submit(_ value: Counters) { allowed.append(value) }

  /// Records that another program has added to the file. What was acknowledged remains, even if it was in a journal
  /// only.
  mutating func add(_ id: Int) throws {
    allowed = try allowed.map { value in
      var value = value
      try value?.set(id, to: id)
      return value
    }
  }

  /// Records that a record may be in the file from now on. Of the records that several stores add, any may be there.
  mutating func offer(_ id: Int) throws {
    allowed += try allowed.map { value in
      var value = value
      try value?.set(id, to: id)
      return value
    }
  }

  /// Records that it is there from now on.
  mutating func require(_ id: Int) { allowed.removeAll { $0?.left[id] == nil } }

  /// Records that a value, or a later one, is in the file from now on.
  mutating func acknowledge(_ value: Counters) {
    if let index = allowed.lastIndex(of: value) { allowed.removeFirst(index) }
  }
}
