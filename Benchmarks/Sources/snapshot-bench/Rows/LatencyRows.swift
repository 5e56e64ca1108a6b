import Foundation
import SnapshotNotebook
import SnapshotStore
import Synchronization

/// The time of single transactions and reads during consecutive saves.
func latencyRows() -> [BenchmarkRow] {
  let figures: [(name: String, words: String, pick: (Latencies) -> Double)] = [
    ("median", "The median", { $0.percentile(50) }),
    ("p99", "The 99th percentile", { $0.percentile(99) }),
    ("p99.9", "The 99.9th percentile", { $0.percentile(99.9) }),
  ]
  return figures.map { figure in
    row("latency.write-\(figure.name)", "\(figure.words) of 100,000 transactions of one note") {
      Measurement(ours: figure.pick($0.write.busy), peer: figure.pick($0.write.quiet))
    }
  } + [longest("latency.write-max", "100,000 transactions of one note", \.write)]
    + figures.map { figure in
      row("latency.read-\(figure.name)", "\(figure.words) of 100,000 reads of one note") {
        Measurement(ours: figure.pick($0.read.busy), peer: figure.pick($0.read.quiet))
      }
    } + [longest("latency.read-max", "100,000 reads of one note", \.read)]
}

private func row(
  _ name: String, _ summary: String, _ pick: @escaping (LatencyMeasurement) -> Measurement
) -> BenchmarkRow {
  BenchmarkRow(
    name, summary + " while saves run back to back, against the same without saves; measured once.",
    unit: .microseconds, peer: "no saves meanwhile", target: nil, process: "latency"
  ) { work, _ in pick(try work.latencies()) }
}

/// The longest operation beside the longest time that the machine itself takes from a thread. A virtual machine stops
/// its threads for milliseconds when other work runs, whatever they do.
private func longest(
  _ name: String, _ operations: String, _ kind: KeyPath<LatencyMeasurement, LatencySides>
) -> BenchmarkRow {
  BenchmarkRow(
    name,
    "The longest of \(operations) while saves run back to back, against a thread that only reads the clock meanwhile, "
      + "each time for as long as a median operation; measured once.",
    unit: .microseconds, peer: "reading the clock meanwhile", target: nil, process: "latency"
  ) { work, _ in
    let sides = try work.latencies()[keyPath: kind]
    let remark = "\(sides.saves) saves meanwhile, and \(Report.number(sides.quiet.max * 1e6)) µs without saves"
    return Measurement(ours: sides.busy.max, peer: sides.idle.max, remark: remark)
  }
}

/// One operation with saves and without.
struct LatencySides {
  let busy: Latencies
  let quiet: Latencies
  /// A thread that only reads the clock, with saves.
  let idle: Latencies
  let saves: Int
}

/// All latencies, from one store.
struct LatencyMeasurement {
  let write: LatencySides
  let read: LatencySides

  init(_ work: Workload) throws {
    let store = try Store<Notebook>.open(
      at: work.copy(of: work.file(.json)), options: StoreOptions(policy: .manual))
    let ids = work.randomIDs(min(100_000, work.count * 10), purpose: 11)
    var sum = 0
    let read: (Note.ID) -> Void = { id in sum += store.read { $0.notes[id]?.text.utf8.count ?? 0 } }
    let write: (Note.ID) throws -> Void = { id in
      try store.write { notebook in
        let isArchived = notebook.notes[id]?.archived ?? false
        try notebook.setArchived(!isArchived, of: id)
      }
    }
    let quietRead = Self.latencies(ids, read)
    let quietWrite = try Self.latencies(ids, write)
    try store.flushAndWait()
    let (busyWrite, writeSaves) = try Self.whileSaving(store, changing: []) { try Self.latencies(ids, write) }
    let (busyRead, readSaves) = try Self.whileSaving(store, changing: ids) { Self.latencies(ids, read) }
    guard sum > 0 else { throw BenchmarkFailure("nothing was read") }
    let idleWrite = try Self.idle(store, ids, quietWrite)
    let idleRead = try Self.idle(store, ids, quietRead)
    try store.closeAndWait()
    self.write = LatencySides(busy: busyWrite, quiet: quietWrite, idle: idleWrite, saves: writeSaves)
    self.read = LatencySides(busy: busyRead, quiet: quietRead, idle: idleRead, saves: readSaves)
  }

  /// The times of reading the clock for as long as a median operation, during saves.
  private static func idle(_ store: Store<Notebook>, _ ids: [Note.ID], _ like: Latencies) throws -> Latencies {
    let duration = Duration.seconds(like.percentile(50))
    return try whileSaving(store, changing: ids) {
      latencies(ids) { _ in
        let end = ContinuousClock.now + duration
        while ContinuousClock.now < end {}
      }
    }.0
  }

  /// The time of each operation. One begins every 20 µs, so that all together take as long as several saves.
  private static func latencies(_ ids: [Note.ID], _ operation: (Note.ID) throws -> Void) rethrows -> Latencies {
    var times: [Double] = []
    times.reserveCapacity(ids.count)
    var next = ContinuousClock.now
    for id in ids {
      while ContinuousClock.now < next {}
      let start = ContinuousClock.now
      try operation(id)
      times.append((ContinuousClock.now - start).seconds)
      next = start + .microseconds(20)
    }
    return Latencies(times)
  }

  /// Runs `body` while another thread saves without a pause, after changing notes if nobody else does. Returns the
  /// number of saves too.
  ///
  /// - Parameter ids: the notes. There are so many that each save encodes the whole store.
  private static func whileSaving(
    _ store: Store<Notebook>, changing ids: [Note.ID], _ body: () throws -> Latencies
  ) throws -> (Latencies, saves: Int) {
    let saver = BackToBackSaver(store, changing: ids.prefix(4_000))
    let latencies = try body()
    return (latencies, saves: try saver.finish())
  }
}

/// A thread that saves a store repeatedly.
private final class BackToBackSaver: Sendable {
  private let isStopped = Atomic<Bool>(false)
  private let outcome = Mutex<Result<Int, any Error>>(.success(0))
  private let end = DispatchSemaphore(value: 0)

  init(_ store: Store<Notebook>, changing ids: ArraySlice<Note.ID>) {
    Thread.detachNewThread { [self] in
      let result = Result { try run(store, ids) }
      outcome.withLock { $0 = result }
      end.signal()
    }
  }

  private func run(_ store: Store<Notebook>, _ ids: ArraySlice<Note.ID>) throws -> Int {
    let before = store.status.saves
    var number = 0
    while !isStopped.load(ordering: .relaxed) {
      number += 1
      if !ids.isEmpty { try store.write { for id in ids { try $0.setText("changed \(number)", of: id) } } }
      try store.flushAndWait()
    }
    return store.status.saves - before
  }

  /// Waits for the end of the last save, and returns the number of saves.
  func finish() throws -> Int {
    isStopped.store(true, ordering: .relaxed)
    end.wait()
    return try outcome.withLock { $0 }.get()
  }
}
