import Foundation
import SnapshotNotebook

/// Times of changes that one process makes and another one shows.
struct ArrivalMeasurement {
  struct Side {
    /// From the call of `flush()` until a live list of the other process has the note.
    let arrivals: Latencies
    /// From the call of `flush()` until it returns.
    let flushes: Latencies
    let count: Int
  }

  let journaled: Side
  /// Without a journal. Each save writes the whole file, and the other process reads it.
  let whole: Side
  /// A process that has the file alone, with a journal. There are no arrivals.
  let alone: Side

  init(_ work: Workload, _ rounds: Int) throws {
    journaled = try Self.side(.journaled, work, count: rounds * 200)
    whole = try Self.side(.whole, work, count: rounds * 6)
    alone = try Self.side(.alone, work, count: rounds * 200)
  }

  /// The first changes make the journal and load code. They do not count.
  private static let uncounted = 5

  private static func side(_ kind: SharedNotes.Kind, _ work: Workload, count: Int) throws -> Side {
    let file = try SharedFile(work.copy(of: work.file(.json)), kind, processes: kind == .alone ? 1 : 2)
    let (writer, follower) = (file.workers[0], kind == .alone ? nil : file.workers[1])
    try follower?.tell("follow")
    _ = try follower?.answer("following")
    var random = SplitMix64(seed: work.seed &+ 41)
    var (arrivals, flushes, changes): ([Double], [Double], [Note.ID: Int]) = ([], [], [:])
    for (number, id) in work.randomIDs(uncounted + count, purpose: 42).enumerated() {
      // The changes keep no step with something that looks at regular times.
      Thread.sleep(forTimeInterval: .random(in: 0...0.020, using: &random))
      try writer.tell("change \(number) \(id)")
      let changed = try writer.answer("changed")
      let seen = try follower?.answer("seen")
      changes[id] = number
      if let seen { try requireEqual(seen[0], number, "the newest change in the list") }
      if number < uncounted { continue }
      flushes.append(Double(changed[1] - changed[0]) / 1e9)
      if let seen { arrivals.append(Double(seen[1] - changed[0]) / 1e9) }
    }
    try file.close(expecting: work.content(changing: changes))
    return Side(arrivals: Latencies(arrivals), flushes: Latencies(flushes), count: count)
  }
}
