import Synchronization

@testable import SnapshotStore
@testable import TestSupport

/// The time until a process is killed.
final class ProcessLife: Sendable {
  /// The number of calls until then; nil for never.
  let calls = SmallLock<Int?>(nil)
  /// Closes what the process has open.
  let atEnd = SmallLock<Callback<Void, Void>?>(nil)
  /// Whether the process has the lock of the file.
  let holdsLock = SmallLock<Callback<Void, Bool>?>(nil)
  private let hasEnded = Atomic(false)

  var isOver: Bool { hasEnded.load(ordering: .relaxed) }

  /// Counts a call. Returns whether the process is killed by it.
  func endsNow() -> Bool {
    calls.withLock { calls in
      calls = calls.map { $0 - 1 }
      return calls.map { $0 < 0 } ?? false
    }
  }

  func end() {
    hasEnded.store(true, ordering: .relaxed)
    atEnd.withLock { $0 }?()
  }
}
