import Synchronization

extension Mutex {
  /// Whether no thread holds it at this moment, this one included.
  var isFree: Bool { withLockIfAvailable { _ in } != nil }
}
