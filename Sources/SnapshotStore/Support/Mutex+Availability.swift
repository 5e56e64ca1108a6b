import Synchronization

/// A test whether a lock is held.
extension Mutex {
  /// Whether no thread, including the current one, holds the lock at this moment.
  var isFree: Bool { withLockIfAvailable { _ in } != nil }
}
