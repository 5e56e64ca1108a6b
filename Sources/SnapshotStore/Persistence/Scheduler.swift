import Dispatch
package import Foundation
import Synchronization

/// Time and a thread of its own, as the saver needs them.
package protocol Scheduler: Sendable {
  /// The time since some moment; never goes backwards.
  var now: Duration { get }
  /// What the clock on the wall says, which may go backwards.
  var date: Date { get }
  /// Runs work soon, one piece after another.
  func perform(_ work: @escaping @Sendable () -> Void)
  /// Runs work at a time or soon after it. Must not keep the process alive.
  func schedule(at time: Duration, _ work: @escaping @Sendable () -> Void)
}

/// The machine's clock and a dispatch queue.
package final class DispatchScheduler: Scheduler {
  private let queue = DispatchQueue(label: "SnapshotStore.saver", qos: .utility)
  /// The clock counts from here, so it does not matter what the machine's clock counts from.
  private let start: SuspendingClock.Instant
  private let timers: TimerThread

  package convenience init() { self.init(timers: .shared) }

  init(timers: TimerThread) {
    self.timers = timers
    start = timers.now
  }

  package var now: Duration { start.duration(to: timers.now) }
  package var date: Date { Date() }

  package func perform(_ work: @escaping @Sendable () -> Void) {
    queue.async(execute: work)
  }

  package func schedule(at time: Duration, _ work: @escaping @Sendable () -> Void) {
    // A timer that goes off early is set again, so one that no clock can count to may be cut.
    let end = start + min(time, now + .seconds(1_000_000_000))
    timers.schedule(at: end) { [queue] in queue.async(execute: work) }
  }
}

/// A clock that stands still until a test moves it, and work that runs when the test says so.
package final class ManualScheduler: Scheduler {
  private struct State {
    var now: Duration = .zero
    var timers: [(time: Duration, work: @Sendable () -> Void)] = []
    var work: [@Sendable () -> Void] = []
    var runsAtOnce = true
    var epoch = Date(timeIntervalSince1970: 1_767_225_600)
  }

  private let state = Mutex(State())

  /// - Parameter runsAtOnce: whether work runs inside of `perform`; otherwise it waits for `runPending`.
  package init(runsAtOnce: Bool = true) {
    state.withLock { $0.runsAtOnce = runsAtOnce }
  }

  package var now: Duration { state.withLock { $0.now } }

  /// What the clock on the wall says: the first of January 2026 and as much as this clock was moved, unless a test sets it.
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

  package func schedule(at time: Duration, _ work: @escaping @Sendable () -> Void) {
    state.withLock { $0.timers.append((time, work)) }
  }

  /// Runs the work that waits; returns whether there was any.
  @discardableResult
  package func runPending() -> Bool {
    let work = state.withLock { state in
      defer { state.work = [] }
      return state.work
    }
    for work in work { work() }
    return !work.isEmpty
  }

  /// Moves the clock on, stopping at every timer that is due on the way.
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
