import Dispatch
import Synchronization

/// Runs jobs one after the other, in their order, on threads of its own.
///
/// A job may wait for a later one. The later job then overtakes it after a while, so the first one is slow but does not
/// hang.
final class OrderedJobs: Sendable {
  private struct State: Sendable {
    /// The jobs that may overtake and have not begun, by the time of their next check.
    var waiting = Agenda<SuspendingClock.Instant, WaitingJob>()
    /// Whether a timer is set. There is one for all jobs, and none while no job waits.
    var hasTimer = false
  }

  private struct WaitingJob: Sendable {
    let job: OrderedJob
    let mayOvertake: Callback<Void, Bool>
  }

  private let queue: DispatchQueue
  private let patience: Duration
  private let timers: TimerThread
  private let state = SmallLock(State())
  private let unfinished = Atomic(0)

  /// - Parameters:
  ///   - label: the name of the queue, for debuggers.
  ///   - patience: how long a job waits in order before it may overtake, and the interval between two checks.
  ///   - timers: runs the checks.
  init(_ label: String, patience: Duration = .milliseconds(250), timers: TimerThread = .shared) {
    queue = DispatchQueue(label: label, qos: .utility)
    self.patience = patience
    self.timers = timers
  }

  /// Appends a job.
  ///
  /// - Parameters:
  ///   - mayOvertake: whether an earlier job may be waiting for this one. Called while this job waits. By default no
  ///     job does.
  ///   - work: the job.
  func add(mayOvertake: (@Sendable () -> Bool)? = nil, _ work: @escaping @Sendable () -> Void) {
    unfinished.add(1, ordering: .sequentiallyConsistent)
    let job = OrderedJob { [self] in
      work()
      unfinished.subtract(1, ordering: .sequentiallyConsistent)
    }
    guard let mayOvertake else { return queue.async { job.run() } }
    let waiting = WaitingJob(job: job, mayOvertake: Callback(mayOvertake))
    let time = timers.now + patience
    let id = state.withLock { $0.waiting.add(waiting, at: time) }
    setTimer()
    queue.async { [self] in
      _ = state.withLock { $0.waiting.remove(id) }
      job.run()
    }
  }

  /// The number of jobs that may overtake and have not begun, for tests.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Whether every job that was added has ended.
  var isIdle: Bool { unfinished.load(ordering: .sequentiallyConsistent) == 0 }

  /// Returns when all jobs that were added before have ended, or at the given time.
  ///
  /// - Returns: whether the jobs have ended.
  @discardableResult
  func wait(until time: DispatchTime = .distantFuture) -> Bool {
    if isIdle { return true }
    let isOver = DispatchSemaphore(value: 0)
    add { isOver.signal() }
    return isOver.wait(timeout: time) == .success
  }

  /// Sets a timer for the next check, unless there is one.
  private func setTimer() {
    let next = state.withLock { state -> SuspendingClock.Instant? in
      guard !state.hasTimer, let next = state.waiting.first else { return nil }
      state.hasTimer = true
      return next
    }
    if let next { timers.schedule(at: next) { [weak self] in self?.check() } }
  }

  /// Runs the jobs that have waited long enough and may overtake.
  private func check() {
    state.withLock { $0.hasTimer = false }
    let now = timers.now
    let later = now + patience
    while let (id, waiting) = state.withLock({ $0.waiting.postponeFirst(through: now, to: later) }) {
      guard waiting.mayOvertake(), state.withLock({ $0.waiting.remove(id) }) != nil else { continue }
      // A queue of its own: the work may wait for long. A global queue or a timer of Dispatch would need descriptors.
      DispatchQueue(label: "SnapshotStore overtaking", qos: .utility).async { waiting.job.run() }
    }
    setTimer()
  }
}

/// A job that is run once.
private final class OrderedJob: Sendable {
  private let work: SmallLock<Callback<Void, Void>?>
  private let end = DispatchSemaphore(value: 0)

  init(_ work: @escaping @Sendable () -> Void) { self.work = SmallLock(Callback(work)) }

  /// Runs the job, or waits for its end if another thread runs it.
  func run() {
    if let work = work.withLock({ $0.take() }) { work() } else { end.wait() }
    end.signal()
  }
}
