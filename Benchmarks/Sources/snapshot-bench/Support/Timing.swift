import Foundation

/// The wall time of `body` in seconds, and its result, which the caller releases outside the measured time.
func timed<Result>(_ body: () throws -> Result) rethrows -> (result: Result, seconds: Double) {
  let start = ContinuousClock.now
  let result = try body()
  return (result, (ContinuousClock.now - start).seconds)
}

/// The wall time of `body` in seconds.
func seconds(_ body: () throws -> Void) rethrows -> Double {
  try timed(body).seconds
}

/// The processor time of the whole process during `body`, in seconds.
func processorSeconds(_ body: () throws -> Void) rethrows -> Double {
  let start = processorTime()
  try body()
  return processorTime() - start
}

private func processorTime() -> Double {
  var usage = rusage()
  getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  let micros = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec
  return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + Double(micros) / 1e6
}

/// Runs both sides in turn, so that other work of the machine affects both, and takes the median of each.
///
/// Each side returns its own time, because it also prepares and cleans up. The first side changes every round.
func alternating(
  rounds: Int, ours: () throws -> Double, peer: () throws -> Double
) rethrows -> Measurement {
  var ourTimes: [Double] = []
  var peerTimes: [Double] = []
  for round in 0..<rounds {
    if round.isMultiple(of: 2) {
      ourTimes.append(try ours())
      peerTimes.append(try peer())
    } else {
      peerTimes.append(try peer())
      ourTimes.append(try ours())
    }
  }
  return Measurement(ours: ourTimes.median, peer: peerTimes.median)
}

extension Duration {
  var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}

extension Array where Element: Comparable {
  /// The middle of the sorted elements; the upper one of two.
  var median: Element { sorted()[count / 2] }
}

/// The error that stops the benchmark: a row would measure something else than it claims.
struct BenchmarkFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Both sides must reach the same result, or one of them did not do the work.
func requireEqual<Value: Equatable>(_ ours: Value, _ peer: Value, _ what: String) throws {
  guard ours == peer else { throw BenchmarkFailure("\(what): ours is \(ours), the peer's is \(peer)") }
}
