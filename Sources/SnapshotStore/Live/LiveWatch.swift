import Synchronization

/// Those who wait for a commit that concerns them: one for each table of a store, and one for all tables.
///
/// Who waits is up to date, and is woken by the first commit that it has not seen and that concerns it. What a commit changed is
/// found once for all of them. Nothing is kept for one who does not wait: it finds out for itself when it comes back, all at
/// once, which is what bounds the cost of being slow.
final class LiveWatch<Base: Sendable, Edits: Sendable>: Sendable {
  struct Waiter: Sendable {
    /// The revision that it has seen.
    let revision: Int
    /// Whether edits concern it; called under the writer lock.
    let isConcerned: @Sendable (Edits) -> Bool
    /// Takes what is there after a commit that does not concern it, if it wants to know.
    var pass: (@Sendable (Base) -> Void)?
    /// Takes what was there before the commit that concerns it; nil if there will be none.
    let wake: @Sendable (Base?) -> Void
  }

  /// What comes of wanting to wait.
  enum Wait {
    case waiting(Int)
    /// There is a later revision already.
    case behind
    /// There will be no other.
    case finished
  }

  private struct State: Sendable {
    var waiters: [Int: Waiter] = [:]
    var lastID = 0
    var isFinished = false
    var stopObserving: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())
  private let revision: @Sendable () -> Int

  /// - Parameter revision: the latest that is published.
  init(revision: @escaping @Sendable () -> Int) { self.revision = revision }

  deinit { state.withLock { $0.stopObserving }?() }

  /// Has an end put to being told when nobody holds the watch any more.
  func onDeinit(_ stop: @escaping @Sendable () -> Void) {
    state.withLock { $0.stopObserving = stop }
  }

  func add(_ waiter: Waiter) -> Wait {
    state.withLock { state in
      // A commit is published first and told of then, so whatever is not seen here will be told of.
      if revision() != waiter.revision { return .behind }
      if state.isFinished { return .finished }
      state.lastID += 1
      state.waiters[state.lastID] = waiter
      return .waiting(state.lastID)
    }
  }

  func remove(_ id: Int) {
    let removed = state.withLock { $0.waiters.removeValue(forKey: id) }
    withExtendedLifetime(removed) {}
  }

  /// How many wait; tests want to know.
  var waiterCount: Int { state.withLock { $0.waiters.count } }

  /// Tells those who wait of a commit, in the order of the commits.
  ///
  /// - Parameter edits: nil if they are too many to be asked about one by one.
  func tell(revision: Int, before: Base, after: Base, edits: () -> Edits?) {
    let waiters = state.withLock { $0.waiters }.filter { $0.value.revision < revision }
    if waiters.isEmpty { return }
    let edits = edits()
    let concerned = waiters.filter { _, waiter in
      if edits.map(waiter.isConcerned) ?? true { return true }
      waiter.pass?(after)
      return false
    }
    if concerned.isEmpty { return }
    state.withLock { state in
      for id in concerned.keys { state.waiters[id] = nil }
    }
    for waiter in concerned.values { waiter.wake(before) }
  }

  func finish() {
    let waiters = state.withLock { state in
      state.isFinished = true
      defer { state.waiters = [:] }
      return state.waiters
    }
    for waiter in waiters.values { waiter.wake(nil) }
  }
}
