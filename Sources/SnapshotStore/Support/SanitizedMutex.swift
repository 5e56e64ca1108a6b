#if SNAPSHOT_THREAD_SANITIZER

  /// Takes the place of the standard library's mutex in builds for the thread sanitizer.
  ///
  /// On Linux that one is made of bare system calls, of which the sanitizer knows nothing, so that it reports a race for
  /// whatever a mutex guards. A lock of POSIX it understands. `Scripts/sanitize` sets the flag.
  package struct Mutex<Value>: ~Copyable, @unchecked Sendable {
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
      lock.lock()
      defer { lock.unlock() }
      return try body(&storage.value)
    }

    package borrowing func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
      guard lock.lockIfAvailable() else { return nil }
      defer { lock.unlock() }
      return try body(&storage.value)
    }
  }
#endif
