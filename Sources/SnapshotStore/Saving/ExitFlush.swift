import SnapshotSystem
import Synchronization

/// Saves unsaved changes when the process ends normally: by `exit` or by the end of `main`. For stores that request it,
/// also by SIGTERM, SIGINT or SIGHUP. A process that is killed, crashes, or calls `_exit` or `abort` saves nothing.
///
/// It holds savers, not stores. A saver is registered from the opening of its store until its file is closed, even if
/// the store is deallocated before. A thread that ends the process returns from here only when every saver has
/// finished. So two threads that call `exit` at once, or a signal and the end of `main`, do not interrupt each other.
package final class ExitFlush: Sendable {
  /// The instance of the process.
  static let shared: ExitFlush = {
    // A second thread that calls `exit` runs the handlers that the first has not started, and then ends the process. It
    // finds one of these.
    for _ in 0..<8 { atexit { ExitFlush.shared.finishAll() } }
    return ExitFlush()
  }()

  private struct Entry: Sendable {
    let process: Int32
    let finish: @Sendable (ExitFlush) -> Void
  }

  /// The longest wait for a small lock.
  private let patience: Duration

  private let entries = SmallLock(Registry<Entry>())
  /// The process that last added an entry.
  private let process = Atomic<Int32>(0)

  /// Whether the thread that ends the process was interrupted inside a store's code, so that no handler can save.
  private let isGivenUp = Atomic(false)

  init(patience: Duration = .seconds(1)) { self.patience = patience }

  /// Registers a function that saves one store.
  ///
  /// - Parameter finish: blocks until everything is saved or cannot be saved. It may be called several times, on any
  ///   thread.
  /// - Returns: the number to pass to `remove`.
  func add(_ finish: @escaping @Sendable (ExitFlush) -> Void) -> Int {
    let entry = Entry(process: getpid(), finish: finish)
    process.store(entry.process, ordering: .relaxed)
    return entries.withLock { $0.insert(entry) }
  }

  func remove(_ id: Int) {
    // Released outside the lock, because it may hold the last reference to a saver.
    _ = entries.withLock { $0.remove(id) }
  }

  /// Calls the functions that this process has added. A forked child has copies of its parent's stores, but neither
  /// their threads nor the right to their files. Another thread may have held the lock at the time of the fork.
  func finishAll() {
    let this = getpid()
    guard process.load(ordering: .relaxed) == this, !isGivenUp.load(ordering: .relaxed) else { return }
    // The thread may have been interrupted under a small lock. That code does not continue.
    HeldLock.forget()
    let all = patiently { entries.withLockIfAvailable { $0.all } }
    for entry in all ?? [] where entry.process == this { entry.finish(self) }
  }

  /// Makes the remaining handlers do nothing.
  func giveUp() { isGivenUp.store(true, ordering: .relaxed) }

  /// Tries for a while to take a small lock, which other threads hold for microseconds only. A signal handler that
  /// calls `exit` (which is not allowed) may have interrupted this thread while it held the lock. A plain lock would
  /// then never be acquired.
  func patiently<Result>(_ attempt: () -> Result?) -> Result? {
    poll(atMost: patience, attempt)
  }
}
