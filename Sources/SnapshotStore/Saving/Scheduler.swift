import Dispatch
package import SnapshotFoundation

/// The clock and the thread of a saver.
package protocol Scheduler: Sendable {
  /// The time since a fixed moment. It never goes backwards.
  var now: Duration { get }
  /// The date of the machine's clock, which may go backwards.
  var date: Date { get }
  /// Runs work soon, one piece after another.
  func perform(_ work: @escaping @Sendable () -> Void)
  /// Runs work at a time or soon after it. Must not keep the process alive.
  func schedule(at time: Duration, _ work: @escaping @Sendable () -> Void)
}

/// The machine's clock and a dispatch queue.
package final class DispatchScheduler: Scheduler {
  private let queue = DispatchQueue(label: "SnapshotStore.saver", qos: .utility)
  /// The zero of this clock, independent of the machine's.
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
    // The caller sets a timer that fires early again. So a time that is too large for the clock may be cut.
    let end = start + min(time, now + .seconds(1_000_000_000))
    timers.schedule(at: end) { [queue] in queue.async(execute: work) }
  }
}
