import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Runs an operation at one size and at four times that size, and tells by how much the second run takes longer.
///
/// By the processor time of this thread, so that a busy machine matters little; and by the least of several runs.
enum ScalingMeter {
  /// Linear work gives 4, and n log n less than 5. The square gives 16.
  static let limit = 8.0

  /// An operation that is ready to run.
  typealias Operation = () throws -> Void

  /// - Parameter prepare: makes the input of a size; what it takes does not count.
  static func ratio(_ size: Int, _ prepare: (Int) throws -> Operation) throws -> Double {
    var (size, small) = (size, 0.0)
    var operation: Operation = {}
    // Too short a time is one of the clock and of the machine, not of the input.
    while true {
      operation = try prepare(size)
      small = try time(operation)
      if small >= 2e-4 || size >= 1 << 20 { break }
      size *= 2
    }
    let largeOperation = try prepare(4 * size)
    var large = try time(largeOperation)
    // A second look, only where the first one is bad: something else may have been in the way.
    for _ in 0..<4 where large / max(small, 1e-6) > limit {
      small = max(small, try time(operation))
      large = min(large, try time(largeOperation))
    }
    return large / max(small, 1e-6)
  }

  private static func time(_ operation: Operation) throws -> Double {
    let start = clock()
    try operation()
    return clock() - start
  }

  /// Seconds of processor time of this thread.
  private static func clock() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
