import Dispatch
import Synchronization

/// Runs jobs one after the other, in their order, on threads of its own.
///
/// A job may wait for a later one. The later job then overtakes it after a while, so the first one is slow but does not
/// hang.
final class OrderedJobs: Sendable {
  private let queue: DispatchQueue
  private let patience: Duration
  private let unfinished = Atomic(0)

  /// - Parameters:
  ///   - label: the name of the queue, for debuggers.
  ///   - patience: how long a job waits in order before it may overtake, and the interval between two checks.
  init(_ label: String, patience: Duration = .milliseconds(250)) {
    queue = DispatchQueue(label: label, qos: .utility)
    self.patience = patience
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
    if let mayOvertake { overtake(job, mayOvertake) }
    queue.async { job.run() }
  }

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

  private func overtake(_ job: OrderedJob, _ mayOvertake: @escaping @Sendable () -> Bool) {
    TimerThread.shared.schedule(at: TimerThread.shared.now + patience) {
      // A queue of its own: the work may wait for long. A global queue or a timer of Dispatch would need descriptors.
      DispatchQueue(label: "SnapshotStore overtaking", qos: .utility).async { [self] in
        if job.isBegun { return }
        if mayOvertake() { job.run() } else { overtake(job, mayOvertake) }
      }
    }
  }
}

/// A job that is run once.
private final class OrderedJob: Sendable {
  private let work: SmallLock<Callback<Void, Void>?>
  private let end = DispatchSemaphore(value: 0)

  init(_ work: @escaping @Sendable () -> Void) { self.work = SmallLock(Callback(work)) }

  var isBegun: Bool { work.withLock { $0 == nil } }

  /// Runs the job, or waits for its end if another thread runs it.
  func run() {
    if let work = work.withLock({ $0.take() }) { work() } else { end.wait() }
    end.signal()
  }
}
