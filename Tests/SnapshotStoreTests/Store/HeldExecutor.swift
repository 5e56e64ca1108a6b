import Synchronization

@testable import TestSupport

/// Runs the work of tasks on request, so that two tasks run in the order that the test wants.
final class HeldExecutor: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Runs the waiting work, and the work that it starts, on the calling thread.
  func run() {
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
