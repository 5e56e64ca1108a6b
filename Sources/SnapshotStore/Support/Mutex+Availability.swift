import Synchronization

/// Asking for a lock without waiting.
extension Mutex {
  /// Whether no thread holds it at this moment, this one included.
  var isFree: Bool { withLockIfAvailable { _ in } != nil }
}
