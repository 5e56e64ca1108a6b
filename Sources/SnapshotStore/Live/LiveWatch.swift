import Synchronization

/// The waiters for commits of a store. There is one watch for each table, and one for all tables.
///
/// A waiter has seen the latest revision. The first later commit that affects it wakes it. The changes of a commit are
/// computed once for all waiters. For a consumer that is not waiting, nothing is kept. It computes all changes at once
/// when it returns, which bounds the cost of a slow consumer.
final class LiveWatch<Base: Sendable, Edits: Sendable>: Sendable {
  struct Waiter: Sendable {
    /// The revision that the waiter has seen.
    let revision: Int
    /// Whether edits affect the waiter. Called under the writer lock.
    let isConcerned: @Sendable (Edits) -> Bool
    /// Called with the content before the commit that affects the waiter; with nil if no commit will follow.
    let wake: @Sendable (Base?) -> Void
  }

  /// The result of a request to wait.
  enum Wait {
    case waiting(Int)
    /// A later revision exists already.
    case behind
    /// No further revision will follow.
    case finished
  }

  private struct State: Sendable {
    var waiters = Registry<Waiter>()
    var stopObserving: (@Sendable () -> Void)?
  }

  private let state = SmallLock(State())
  private let revision: @Sendable () -> Int

  /// - Parameter revision: returns the latest published revision.
  init(revision: @escaping @Sendable () -> Int) { self.revision = revision }

  deinit { state.withLock { $0.stopObserving }?() }

  /// Sets a function that ends the notifications when the watch is deallocated.
  func onDeinit(_ stop: @escaping @Sendable () -> Void) {
    state.withLock { $0.stopObserving = stop }
  }

  func add(_ waiter: Waiter) -> Wait {
    let id = state.withLock { $0.waiters.add(waiter) }
    // Read after the waiter was added. A commit is published before it is told. So a commit that is not visible here
    // wakes the waiter.
    if revision() != waiter.revision {
      if let id { remove(id) }
      return .behind
    }
    return id.map { .waiting($0) } ?? .finished
  }

  func remove(_ id: Int) {
    _ = state.withLock { $0.waiters.remove(id) }
  }

  /// The number of waiters, for tests.
  var waiterCount: Int { state.withLock { $0.waiters.entries.count } }

  /// Tells the waiters of a commit, in the order of the commits.
  ///
  /// - Parameter edits: returns the edits of the commit; nil if there are too many to check them one by one.
  func tell(revision: Int, before: Base, edits: () -> Edits?) {
    let waiters = state.withLock { $0.waiters.entries }.filter { $0.value.revision < revision }
    if waiters.isEmpty { return }
    let edits = edits()
    let concerned = waiters.filter { edits.map($0.value.isConcerned) ?? true }
    if concerned.isEmpty { return }
    state.withLock { state in
      for id in concerned.keys { _ = state.waiters.remove(id) }
    }
    for waiter in concerned.values { waiter.wake(before) }
  }

  func finish() {
    for waiter in state.withLock({ $0.waiters.finish() }) { waiter.wake(nil) }
  }
}
