#if !DEBUG
  package import Synchronization
#endif

/// A lock that guards a few fields for a moment. Under it there is nothing else: `Docs/LOCKS.md` has the rules.
///
/// In release builds it is the mutex of the standard library. In debug builds it is a type that traps where a rule
/// is broken. It is made of a lock of POSIX, which the thread sanitizer understands. It does not understand the other.
#if DEBUG
  package struct SmallLock<Value>: ~Copyable, @unchecked Sendable {
    // The value is used only while the lock is held.
    private final class Storage {
      var value: Value

      init(_ value: consuming sending Value) { self.value = value }
    }

    private let lock = ThreadLock()
    private let storage: Storage

    package init(_ value: consuming sending Value) { storage = Storage(value) }

    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      HeldLock.requireNone("the lock of type \(String(reflecting: Value.self)) was taken")
      lock.lock()
      let outer = HeldLock.exchange(Value.self)
      defer {
        _ = HeldLock.exchange(outer)
        lock.unlock()
      }
      return try body(&storage.value)
    }

    /// Nothing waits here, so any lock may be held: a signal handler that calls `exit` may have interrupted its holder.
    package borrowing func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
      guard lock.lockIfAvailable() else { return nil }
      let outer = HeldLock.exchange(Value.self)
      defer {
        _ = HeldLock.exchange(outer)
        lock.unlock()
      }
      return try body(&storage.value)
    }
  }
#else
  package typealias SmallLock<Value> = Mutex<Value>
#endif

extension SmallLock {
  /// Whether no thread holds it at this moment, this one included.
  var isFree: Bool { withLockIfAvailable { _ in } != nil }
}
