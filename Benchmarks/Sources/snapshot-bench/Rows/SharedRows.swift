import Foundation
import SnapshotNotebook
import SnapshotStore

/// A file that several processes have open, and change.
func sharedRows() -> [BenchmarkRow] {
  let change = "One process changes a note, with a journal: the time from the call of flush()"
  func milliseconds(_ seconds: Double) -> String { Report.number(seconds * 1e3) + " ms" }
  return [
    BenchmarkRow(
      "shared.arrival-median", "\(change) until a live list of another process has the note, median.",
      unit: .milliseconds, peer: "the same without a journal", target: nil, process: "shared.arrival"
    ) { work, rounds in
      let arrival = try work.arrival(rounds)
      let (ours, rest) = (arrival.journaled, arrival.whole)
      return Measurement(
        ours: ours.arrivals.percentile(50), peer: rest.arrivals.percentile(50),
        remark: "\(ours.count) changes; without a journal \(rest.count), the longest "
          + "\(milliseconds(rest.arrivals.max)), flush() itself \(milliseconds(rest.flushes.percentile(50)))")
    },
    BenchmarkRow(
      "shared.arrival-p99", "\(change) until a live list of another process has the note, 99th percentile.",
      unit: .milliseconds, peer: "the wanted 20 ms", target: 1, process: "shared.arrival"
    ) { work, rounds in
      let arrivals = try work.arrival(rounds).journaled.arrivals
      return Measurement(
        ours: arrivals.percentile(99), peer: 0.020, remark: "the longest \(milliseconds(arrivals.max))")
    },
    BenchmarkRow(
      "shared.flush", "\(change) until it returns, median, while another process has the file open.",
      unit: .milliseconds, peer: "a store that has the file alone", target: nil, process: "shared.arrival"
    ) { work, rounds in
      let (ours, alone) = (try work.arrival(rounds).journaled.flushes, try work.arrival(rounds).alone.flushes)
      return Measurement(
        ours: ours.percentile(50), peer: alone.percentile(50),
        remark: "99th percentile \(milliseconds(ours.percentile(99))), alone \(milliseconds(alone.percentile(99)))")
    },
    BenchmarkRow(
      "shared.writes",
      "Four processes change notes of one file, with a journal, each change until it is on the disk; for each change.",
      unit: .microseconds, peer: "GRDB UPDATE, WAL, synchronous=FULL, busy handler", target: 1,
      measure: writesTogether),
  ]
}

/// Four processes change notes at the same time. Each has notes of its own, so the result is known.
private func writesTogether(_ work: Workload, _ rounds: Int) throws -> Measurement {
  let each = min(500, work.count / 4)
  let ids = work.differentIDs(4 * each, purpose: 43)
  let parts = (0..<4).map { Array(ids[$0 * each..<($0 + 1) * each]) }
  let ours = try SharedFile(work.copy(of: work.file(.json)), .journaled, processes: parts.count)
  let peer = try SharedFile(work.copy(of: work.database()), .database, processes: parts.count)
  let measurement = try alternating(rounds: rounds) {
    try ours.change(parts) / Double(ids.count)
  } peer: {
    try peer.change(parts) / Double(ids.count)
  }
  let expected = work.content(changing: Dictionary(uniqueKeysWithValues: ids.map { ($0, rounds) }))
  try ours.close(expecting: expected)
  try peer.close(expecting: expected)
  func words(_ file: SharedFile, _ time: Double) -> String {
    "\(Int(1 / time)) writes a second, the longest \(Report.number(file.longest * 1e3)) ms"
  }
  return Measurement(
    ours: measurement.ours, peer: measurement.peer,
    remark: "\(words(ours, measurement.ours)); GRDB \(words(peer, measurement.peer))")
}
