import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Saves what is not saved when the process ends normally: by `exit`, by the end of `main`, and, for stores that ask for
/// it, by SIGTERM or SIGINT. A process that is killed, crashes, or calls `_exit` or `abort` saves nothing.
///
/// It holds savers, not stores: a saver is in here from the moment its store is open until its file is closed, even if the
/// store is deallocated before that. Each thread that ends the process returns from here only when every saver is done,
/// so two threads that call `exit` at once, or a signal and the end of `main`, cannot cut each other off.
package final class ExitFlush: Sendable {
  /// That of the process.
  static let shared: ExitFlush = {
    // A second thread that calls `exit` runs the handlers that the first has not taken, and then ends the process. Each
    // of them finds one of these.
    for _ in 0..<8 { atexit { ExitFlush.shared.finishAll() } }
    return ExitFlush()
  }()

  private struct Entry: Sendable {
    let process: Int32
    let finish: @Sendable (ExitFlush) -> Void
  }

  /// How long a small lock may take to be free.
  private let patience: Duration

  private let entries = Mutex<[Int: Entry]>([:])
  private let lastID = Atomic(0)
  /// The process that added an entry last.
  private let process = Atomic<Int32>(0)

  /// Whether a thread that ends the process was interrupted in the middle of a store's work, so that no handler can do better.
  private let isGivenUp = Atomic(false)

  init(patience: Duration = .seconds(1)) { self.patience = patience }

  /// Adds what saves one store.
  ///
  /// - Parameter finish: blocks until all is saved, or cannot be; may be called more than once, on any threads.
  /// - Returns: what `remove` takes.
  func add(_ finish: @escaping @Sendable (ExitFlush) -> Void) -> Int {
    let id = lastID.add(1, ordering: .relaxed).newValue
    let entry = Entry(process: getpid(), finish: finish)
    process.store(entry.process, ordering: .relaxed)
    entries.withLock { $0[id] = entry }
    return id
  }

  func remove(_ id: Int) {
    // Released outside of the lock: it may hold the last reference to a saver.
    _ = entries.withLock { $0.removeValue(forKey: id) }
  }

  /// Calls what was added, by this process: a child that was forked has copies of its parent's stores, but neither their
  /// threads nor the right to their files, and another thread may have held the lock when it was made.
  func finishAll() {
    let this = getpid()
    guard process.load(ordering: .relaxed) == this, !isGivenUp.load(ordering: .relaxed) else { return }
    let all = patiently { entries.withLockIfAvailable { Array($0.values) } }
    for entry in all ?? [] where entry.process == this { entry.finish(self) }
  }

  /// The handlers that are left do nothing.
  func giveUp() { isGivenUp.store(true, ordering: .relaxed) }

  /// Tries for a while to get at what a small lock guards. Other threads hold it for microseconds. But a signal handler that calls
  /// `exit`, which it should not, may have interrupted this thread while it held the lock, and then would wait for ever.
  func patiently<Result>(_ attempt: () -> Result?) -> Result? {
    poll(atMost: patience, attempt)
  }
}
