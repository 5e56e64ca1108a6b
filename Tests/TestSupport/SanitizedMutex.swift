#if SNAPSHOT_THREAD_SANITIZER
  @testable import SnapshotStore

  /// Replaces the standard library's mutex in tests that are built for the thread sanitizer.
  ///
  /// On Linux the library's mutex uses bare system calls, which the sanitizer does not understand. It reports a race
  /// for everything that such a mutex guards. It understands a POSIX lock. `Scripts/sanitize` sets the flag.
  package struct Mutex<Value>: ~Copyable, @unchecked Sendable {
    private final class Storage {
      var value: Value

      init(_ value: consuming sending Value) { self.value = value }
    }

    private let lock = ThreadLock()
    // The value is used only while the lock is held.
    private let storage: Storage

    package init(_ value: consuming sending Value) { storage = Storage(value) }

    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      lock.lock()
      defer { lock.unlock() }
      return try body(&storage.value)
    }
  }
#endif
