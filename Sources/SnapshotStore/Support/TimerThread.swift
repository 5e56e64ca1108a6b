import Dispatch
import SnapshotSystem
import Synchronization

/// A thread that runs work at given times. The process has one.
///
/// It needs no descriptor. A timer of Dispatch needs three, and Dispatch ends the process if there are none left.
final class TimerThread: Sendable {
  static let shared = TimerThread()

  private struct State: Sendable {
    var timers = Agenda<SuspendingClock.Instant, Callback<Void, Void>>()
    var isRunning = false
  }

  private let state = SmallLock(State())
  private let bell = TimedBell()
  private let clock: @Sendable () -> SuspendingClock.Instant

  /// - Parameter clock: the current time. A test passes its own clock, which may be before the clock's zero.
  init(clock: @escaping @Sendable () -> SuspendingClock.Instant = { SuspendingClock().now }) { self.clock = clock }

  var now: SuspendingClock.Instant { clock() }

  /// The number of timers that have not fired, for tests.
  var count: Int { state.withLock { $0.timers.count } }

  /// Runs work on the thread, at a time or soon after it. The work must be short.
  func schedule(at time: SuspendingClock.Instant, _ work: @escaping @Sendable () -> Void) {
    let (isFirst, isNext) = state.withLock { state in
      // The thread waits for the first timer. Only an earlier one wakes it up.
      let isNext = state.timers.first.map { time < $0 } ?? true
      state.timers.add(Callback(work), at: time)
      defer { state.isRunning = true }
      return (!state.isRunning, isNext)
    }
    if isFirst { DispatchQueue(label: "SnapshotStore timers").async { self.run() } }
    if isNext { bell.ring() }
  }

  private func run() {
    while true {
      let now = clock()
      let (due, next) = state.withLock { ($0.timers.takeAll(through: now), $0.timers.first) }
      for work in due { work() }
      if due.isEmpty { bell.wait(atMost: next.map { now.duration(to: $0) }) }
    }
  }
}

/// A bell for one waiting thread. The thread waits for the ring or a time limit. An earlier ring ends the wait at once.
private final class TimedBell: Sendable {
  // POSIX allows every use of both from any thread. They are never freed: the bell is as old as the process.
  private nonisolated(unsafe) let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private nonisolated(unsafe) let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  /// Read and written only while the mutex is locked.
  private nonisolated(unsafe) let isRung = UnsafeMutablePointer<Bool>.allocate(capacity: 1)

  init() {
    pthread_mutex_init(mutex, nil)
    isRung.initialize(to: false)
    // The monotonic clock: nobody can set it.
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    Differences.useMonotonicClock(&attributes)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  func ring() {
    pthread_mutex_lock(mutex)
    isRung.pointee = true
    pthread_cond_signal(condition)
    pthread_mutex_unlock(mutex)
  }

  /// - Parameter duration: the longest wait; nil waits for the ring without a limit.
  func wait(atMost duration: Duration?) {
    pthread_mutex_lock(mutex)
    defer {
      isRung.pointee = false
      pthread_mutex_unlock(mutex)
    }
    if isRung.pointee { return }
    guard let duration else {
      pthread_cond_wait(condition, mutex)
      return
    }
    // The caller checks the time again afterwards, so a long wait may be cut.
    let (seconds, attoseconds) = min(max(duration, .zero), .seconds(100_000)).components
    let nanoseconds = Int(attoseconds / 1_000_000_000)
    let result = Differences.wait(condition, mutex, seconds: Int(seconds), nanoseconds: nanoseconds)
    // A clock below zero gives a limit that the system refuses.
    if result != 0, result != ETIMEDOUT { usleep(10_000) }
  }
}
