import Dispatch
import SnapshotFoundation
import Synchronization

/// Work on several threads at once.
@usableFromInline
enum Parallel {
  /// As many threads as the machine runs at once.
  @usableFromInline static let defaultThreads = max(1, ProcessInfo.processInfo.activeProcessorCount)

  /// Divides 0..<count into ranges, works on each, and gives the results in order.
  ///
  /// - Parameters:
  ///   - minimum: how much a range should have at least, so that threads pay.
  ///   - threads: the most that may run at once; 1 works on the calling thread alone.
  @usableFromInline
  static func map<Result>(
    over count: Int, atLeast minimum: Int, threads: Int, _ work: (Range<Int>) -> Result
  ) -> [Result] {
    let parts = max(1, min(threads, count / max(1, minimum)))
    return map(parts, threads: threads) { part in
      work(count * part / parts..<count * (part + 1) / parts)
    }
  }

  /// Works on 0..<count, each number once, the lower ones first, on some thread, and gives the results in order.
  ///
  /// `work` is called on several threads at the same time. The caller makes sure that this does no harm: that it
  /// reads what all share, and writes only what is its own.
  static func map<Result>(_ count: Int, threads: Int, _ work: (Int) -> Result) -> [Result] {
    guard count > 1, threads > 1 else { return (0..<count).map(work) }
    return [Result](unsafeUninitializedCapacity: count) { results, initialized in
      let results = results
      perform(count, threads: threads) { results.initializeElement(at: $0, to: work($0)) }
      initialized = count
    }
  }

  /// Does 0..<count, each number once, the lower ones first, on this thread and on others.
  ///
  /// It needs no descriptor. `concurrentPerform` and the global queues of Dispatch need three, and Dispatch ends the process if there
  /// are none left.
  private static func perform(_ count: Int, threads: Int, _ step: (Int) -> Void) {
    withoutActuallyEscaping(step) { step in
      withUnsafePointer(to: step) { step in
        let steps = SharedSteps(count, step)
        for helper in helpers.prefix(min(threads, count) - 1) { helper.async { steps.perform() } }
        steps.perform()
        steps.wait()
      }
    }
  }

  /// Where other threads help. One that is busy comes late or not at all, so that a step may itself have threads help.
  private static let helpers = (1..<max(2, defaultThreads)).map { DispatchQueue(label: "SnapshotStore helper \($0)") }
}

/// Steps that several threads share among themselves.
private final class SharedSteps: Sendable {
  private let count: Int
  /// Does one. Valid until all are done: a thread that comes later finds none, and does not look at this.
  private nonisolated(unsafe) let step: UnsafePointer<(Int) -> Void>
  private let next = Atomic(0)
  private let done = Atomic(0)
  private let isOver = DispatchSemaphore(value: 0)

  init(_ count: Int, _ step: UnsafePointer<(Int) -> Void>) {
    self.count = count
    self.step = step
  }

  /// Does steps as long as there are any that nobody does.
  func perform() {
    while case let index = next.add(1, ordering: .relaxed).oldValue, index < count {
      step.pointee(index)
      if done.add(1, ordering: .acquiringAndReleasing).newValue == count { isOver.signal() }
    }
  }

  /// Returns when all are done.
  func wait() { isOver.wait() }
}
