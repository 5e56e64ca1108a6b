import Dispatch
import Foundation
import Synchronization

/// Work on several threads at once.
enum Parallel {
  /// As many threads as the machine runs at once.
  static let defaultThreads = max(1, ProcessInfo.processInfo.activeProcessorCount)

  /// Divides 0..<count into ranges, works on each, and gives the results in order.
  ///
  /// - Parameters:
  ///   - minimum: how much a range should have at least, so that threads pay.
  ///   - threads: the most that may run at once; 1 works on the calling thread alone.
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
  /// `work` is called on several threads at the same time. Whoever passes it sees to it that this does no harm: that it
  /// reads what all share, and writes only what is its own.
  static func map<Result>(_ count: Int, threads: Int, _ work: (Int) -> Result) -> [Result] {
    guard count > 1, threads > 1 else { return (0..<count).map(work) }
    let next = Atomic(0)
    return [Result](unsafeUninitializedCapacity: count) { results, initialized in
      withoutActuallyEscaping(work) { work in
        // `concurrentPerform` returns when all is done, so neither of the two outlives this call.
        let shared = UncheckedSendable((work, results))
        DispatchQueue.concurrentPerform(iterations: min(threads, count)) { _ in
          let (work, results) = shared.value
          while true {
            let index = next.add(1, ordering: .relaxed).oldValue
            guard index < count else { return }
            results.initializeElement(at: index, to: work(index))
          }
        }
      }
      initialized = count
    }
  }
}

private struct UncheckedSendable<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
