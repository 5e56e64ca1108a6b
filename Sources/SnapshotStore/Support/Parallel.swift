import Dispatch
import SnapshotFoundation
import Synchronization

/// Work on several threads at once.
@usableFromInline
enum Parallel {
  /// The number of processors that are active.
  @usableFromInline static let defaultThreads = max(1, ProcessInfo.processInfo.activeProcessorCount)

  /// Divides 0..<count into ranges, works on each range, and returns the results in order.
  ///
  /// - Parameters:
  ///   - minimum: the least size of a range for which a thread is worth its cost.
  ///   - threads: the most threads at once. With 1, the calling thread does all the work.
  @usableFromInline
  static func map<Result>(
    over count: Int, atLeast minimum: Int, threads: Int, _ work: (Range<Int>) -> Result
  ) -> [Result] {
    let parts = max(1, min(threads, count / max(1, minimum)))
    return map(parts, threads: threads) { part in
      work(count * part / parts..<count * (part + 1) / parts)
    }
  }

  /// Works once on each number in 0..<count, and returns the results in order. Lower numbers begin first.
  ///
  /// `work` is called on several threads at the same time. The caller makes sure that this is safe: `work` may read
  /// shared data, and writes only data that no other call uses.
  static func map<Result>(_ count: Int, threads: Int, _ work: (Int) -> Result) -> [Result] {
    guard count > 1, threads > 1 else { return (0..<count).map(work) }
    return [Result](unsafeUninitializedCapacity: count) { results, initialized in
      let results = results
      perform(count, threads: threads) { results.initializeElement(at: $0, to: work($0)) }
      initialized = count
    }
  }

  /// Calls `step` once for each number in 0..<count, on this thread and on helpers. Lower numbers begin first.
  ///
  /// It needs no descriptor. `concurrentPerform` and the global queues of Dispatch need three, and Dispatch ends the
  /// process if there are none left.
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

  /// The queues of the other threads. A busy helper comes late or not at all, so a step may itself ask for helpers.
  private static let helpers: [DispatchQueue] = (1..<max(2, defaultThreads)).map {
    DispatchQueue(label: "SnapshotStore helper \($0)")
  }
}

/// Steps that several threads divide among themselves.
private final class SharedSteps: Sendable {
  private let count: Int
  /// Does one step. Valid until all steps are done. A thread that comes later finds no step left and does not use it.
  private nonisolated(unsafe) let step: UnsafePointer<(Int) -> Void>
  private let next = Atomic(0)
  private let done = Atomic(0)
  private let isOver = DispatchSemaphore(value: 0)

  init(_ count: Int, _ step: UnsafePointer<(Int) -> Void>) {
    self.count = count
    self.step = step
  }

  /// Does steps until none is left.
  func perform() {
    while case let index = next.add(1, ordering: .relaxed).oldValue, index < count {
      step.pointee(index)
      if done.add(1, ordering: .acquiringAndReleasing).newValue == count { isOver.signal() }
    }
  }

  /// Returns when all steps are done.
  func wait() { isOver.wait() }
}
