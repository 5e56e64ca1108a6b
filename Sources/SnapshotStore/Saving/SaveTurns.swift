import Synchronization

/// A turn at a file that several programs coordinate, such as one of the system's file coordination.
package protocol FileTurn: Sendable {
  /// Waits for the turn and calls `body`. Returns without a call if the wait fails or is cancelled.
  func run(_ body: () -> Void)
  /// Ends the wait. May be called from any thread and at any time.
  func cancel()
}

/// The turns in which a store replaces its file, while other programs coordinate their access to the same file.
///
/// A save waits for its turn, but not longer than a limit. It never waits for a program that itself waits for this
/// save. Without a turn it is run all the same: the file is replaced as a whole, and an external change is noticed
/// before.
final class SaveTurns: Sendable {
  private struct State: Sendable {
    var makeTurn: (@Sendable () -> any FileTurn)?
    /// The turn for which a save waits.
    var waiting: (any FileTurn)?
    /// The number of programs that wait for a save.
    var requests = 0
  }

  /// Runs work after a time, on any thread.
  typealias Timer = @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

  private let state = SmallLock(State())
  private let limit: Duration
  private let after: Timer

  init(
    limit: Duration = .seconds(5),
    after: @escaping Timer = { TimerThread.shared.schedule(at: TimerThread.shared.now + $0, $1) }
  ) {
    self.limit = limit
    self.after = after
  }

  /// Begins to ask for turns; nil ends it.
  func use(_ makeTurn: (@Sendable () -> any FileTurn)?) { state.withLock { $0.makeTurn = makeTurn } }

  /// Runs a save once, in a turn if there is one in time.
  func run<Result>(_ save: () -> Result) -> Result {
    guard let makeTurn = state.withLock({ $0.requests > 0 ? nil : $0.makeTurn }) else { return save() }
    let turn = makeTurn()
    // A request that comes between these two lines is seen here. A later one cancels the turn.
    let isRequested = state.withLock { state in
      if state.requests == 0 { state.waiting = turn }
      return state.requests > 0
    }
    if isRequested { return save() }
    after(limit) { turn.cancel() }
    var result: Result?
    turn.run {
      state.withLock { $0.waiting = nil }
      result = save()
    }
    state.withLock { $0.waiting = nil }
    return result ?? save()
  }

  /// Runs `body` while another program waits for this store's save. Saves need no turn meanwhile.
  func whileRequested<Result>(_ body: () -> Result) -> Result {
    let waiting = state.withLock { state in
      state.requests += 1
      return state.waiting
    }
    waiting?.cancel()
    defer { state.withLock { $0.requests -= 1 } }
    return body()
  }
}
