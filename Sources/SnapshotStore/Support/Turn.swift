import Synchronization

/// The right to use something, which one thread has at a time, and that thing.
///
/// It is a long lock; see `Docs/LOCKS.md`. Debug builds check that only the thread with the turn uses what is in it.
final class Turn<Content>: @unchecked Sendable {
  private let lock = ThreadLock(isRecursive: true)
  private let guarded: Content
  /// The thread that uses the content; 0 while none does. One that has the turn may run code of the program.
  private let user = Atomic<UInt>(0)

  init(_ content: Content) { guarded = content }

  /// Only for the thread that has the turn.
  var content: Content {
    assert(user.load(ordering: .relaxed) == currentThreadIdentity(), "the content is used without the turn")
    return guarded
  }

  /// Whether a thread uses the content, and does not run code of the program.
  var isInUse: Bool { user.load(ordering: .relaxed) != 0 }

  /// Waits for the turn, and calls `body` in it. A thread that has the turn has it again.
  func run<Outcome>(_ body: () throws -> Outcome) rethrows -> Outcome {
    lock.lock()
    defer { lock.unlock() }
    return try use(body)
  }

  /// The same, or nil while another thread has the turn.
  func runIfFree<Outcome>(_ body: () -> Outcome) -> Outcome? {
    guard lock.lockIfAvailable() else { return nil }
    defer { lock.unlock() }
    return use(body)
  }

  /// Uses the content. Only for a thread that has the turn, and for `hold`.
  func use<Outcome>(_ body: () throws -> Outcome) rethrows -> Outcome {
    try used(by: currentThreadIdentity(), body)
  }

  /// Runs code of the program in a turn. Another thread may have the turn meanwhile.
  func pause(_ body: () -> Void) {
    used(by: 0) {
      lock.unlock()
      defer { lock.lock() }
      body()
    }
  }

  /// Keeps other threads from having the turn. `body` calls `use`, or finds that this thread was interrupted in a use.
  ///
  /// - Returns: nil if another thread has it for longer than the limit.
  func hold<Outcome>(waitingAtMost limit: Duration, _ body: () -> Outcome) -> Outcome? {
    guard lock.lock(waitingAtMost: limit) else { return nil }
    defer { lock.unlock() }
    return body()
  }

  private func used<Outcome>(by thread: UInt, _ body: () throws -> Outcome) rethrows -> Outcome {
    let before = user.exchange(thread, ordering: .relaxed)
    defer { user.store(before, ordering: .relaxed) }
    return try body()
  }
}
