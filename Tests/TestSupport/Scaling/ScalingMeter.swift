import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Runs an operation at one size and at four times that size, and returns the ratio of the times.
///
/// It uses the processor time of this thread, so a busy machine matters little, and the least of several runs.
enum ScalingMeter {
  /// Linear work gives 4, and n log n less than 5. The square gives 16.
  static let limit = 8.0

  /// An operation that is ready to run.
  typealias Operation = () throws -> Void

  /// - Parameter prepare: makes the input of a size; its time does not count.
  static func ratio(_ size: Int, _ prepare: (Int) throws -> Operation) throws -> Double {
    var (size, small) = (size, 0.0)
    var operation: Operation = {}
    // A very short time depends on the clock and the machine, not on the input.
    while true {
      operation = try prepare(size)
      // The first run takes longer. Then the square would seem to be less.
      small = min(try time(operation), try time(operation))
      if small >= 2e-4 || size >= 1 << 20 { break }
      size *= 2
    }
    let largeOperation = try prepare(4 * size)
    var large = try time(largeOperation)
    // Measures again, but only after a bad result: other work may have interfered.
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
