package import SnapshotFoundation
import SnapshotStore
// In release builds a small lock is a mutex of this module.
import Synchronization

/// A clock that stands still until a test moves it, and work that runs on request.
package final class ManualScheduler: Scheduler {
  private struct State {
    var now: Duration = .zero
    var timers: [(time: Duration, work: @Sendable () -> Void)] = []
    var work: [@Sendable () -> Void] = []
    var runsAtOnce = true
    var epoch = Date(timeIntervalSince1970: 1_767_225_600)
  }

  private let state = SmallLock(State())

  /// - Parameter runsAtOnce: whether work runs inside `perform`; otherwise it waits for `runPending`.
  package init(runsAtOnce: Bool = true) {
    state.withLock { $0.runsAtOnce = runsAtOnce }
  }

  package var now: Duration { state.withLock { $0.now } }

  /// The date of the wall clock: the first of January 2026 plus the time by which this clock was moved, unless a test
  /// sets it.
  package var date: Date {
    get { state.withLock { $0.epoch + TimeInterval($0.now.components.seconds) } }
    set { state.withLock { $0.epoch = newValue - TimeInterval($0.now.components.seconds) } }
  }

  package func perform(_ work: @escaping @Sendable () -> Void) {
    let runsAtOnce = state.withLock { state in
      if !state.runsAtOnce { state.work.append(work) }
      return state.runsAtOnce
    }
    if runsAtOnce { work() }
  }

  /// Lets the work wait that comes during `body`, for `runPending`: as if another thread had to wait for this one.
  package func whileBusy(_ body: () -> Void) {
    let before = state.withLock { state in
      defer { state.runsAtOnce = false }
      return state.runsAtOnce
    }
    defer { state.withLock { $0.runsAtOnce = before } }
    body()
  }

  package func schedule(at time: Duration, _ work: @escaping @Sendable () -> Void) {
    state.withLock { $0.timers.append((time, work)) }
  }

  /// Runs the waiting work; returns whether there was any.
  @discardableResult
  package func runPending() -> Bool {
    let work = state.withLock { state in
      defer { state.work = [] }
      return state.work
    }
    for work in work { work() }
    return !work.isEmpty
  }

  /// Moves the clock. It stops at every timer that is due in between.
  package func advance(by duration: Duration) {
    let end = now + duration
    while let work = popTimer(before: end) { work() }
    state.withLock { $0.now = end }
  }

  private func popTimer(before end: Duration) -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard let next = state.timers.indices.min(by: { state.timers[$0].time < state.timers[$1].time }),
        state.timers[next].time <= end
      else { return nil }
      let timer = state.timers.remove(at: next)
      state.now = max(state.now, timer.time)
      return timer.work
    }
  }
}
