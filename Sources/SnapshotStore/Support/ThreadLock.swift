import SnapshotSystem

/// A lock that one function acquires and another one releases, on the same thread. A ``SmallLock`` has no such calls.
final class ThreadLock: Sendable {
  // POSIX allows every use of it from any thread.
  private nonisolated(unsafe) let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  /// - Parameter isRecursive: whether the thread that holds the lock may acquire it again.
  init(isRecursive: Bool = false) {
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, Int32(isRecursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL))
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  func lock() {
    HeldLock.requireNone("a long lock was taken")
    pthread_mutex_lock(mutex)
  }

  func unlock() { pthread_mutex_unlock(mutex) }

  /// Acquires the lock if no other thread holds it.
  func lockIfAvailable() -> Bool { pthread_mutex_trylock(mutex) == 0 }

  /// Acquires the lock, or gives up after a time.
  ///
  /// It tries once a millisecond, because Apple's systems have no call that waits with a limit.
  func lock(waitingAtMost limit: Duration) -> Bool { poll(atMost: limit) { lockIfAvailable() ? true : nil } ?? false }

  func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock()
    defer { unlock() }
    return try body()
  }
}

/// Calls `attempt` once a millisecond until it returns a result or the time is over.
func poll<Result>(atMost limit: Duration, _ attempt: () -> Result?) -> Result? {
  let end = ContinuousClock.now + limit
  while true {
    if let result = attempt() { return result }
    if ContinuousClock.now >= end { return nil }
    usleep(1_000)
  }
}

/// A number that differs between all living threads; never 0.
func currentThreadIdentity() -> UInt { Differences.threadNumber }
