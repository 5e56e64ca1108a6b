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
    ("max", "The longest", { $0.max }),
  ]
  return figures.map { figure in
    row("latency.write-\(figure.name)", "\(figure.words) of 100,000 transactions of one note") { latencies in
      latencies.write.map(figure.pick)
    }
  }
    + figures.map { figure in
      row("latency.read-\(figure.name)", "\(figure.words) of 100,000 reads of one note") { latencies in
        latencies.read.map(figure.pick)
      }
    }
}

private func row(
  _ name: String, _ summary: String, _ pick: @escaping (LatencyMeasurement) -> LatencyPair<Double>
) -> BenchmarkRow {
  BenchmarkRow(
    name, summary + " while saves run back to back, against the same without saves; measured once.",
    unit: .microseconds, peer: "no saves meanwhile", target: nil, process: "latency"
  ) { work, _ in
    let values = pick(try work.latencies())
    let remark = name.hasSuffix("max") ? "\(values.saves) saves meanwhile" : nil
    return Measurement(ours: values.busy, peer: values.quiet, remark: remark)
  }
}

/// The same with saves and without.
struct LatencyPair<Value> {
  let busy: Value
  let quiet: Value
  let saves: Int

  func map<Other>(_ transform: (Value) -> Other) -> LatencyPair<Other> {
    LatencyPair<Other>(busy: transform(busy), quiet: transform(quiet), saves: saves)
  }
}

/// All latencies, from one store.
struct LatencyMeasurement {
  let write: LatencyPair<Latencies>
  let read: LatencyPair<Latencies>

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
    let (busyWrite, writeSaves) = try Self.whileSaving(store, changing: nil) { try Self.latencies(ids, write) }
    let (busyRead, readSaves) = try Self.whileSaving(store, changing: ids[0]) { Self.latencies(ids, read) }
    guard sum > 0 else { throw BenchmarkFailure("nothing was read") }
    try store.closeAndWait()
    self.write = LatencyPair(busy: busyWrite, quiet: quietWrite, saves: writeSaves)
    self.read = LatencyPair(busy: busyRead, quiet: quietRead, saves: readSaves)
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

  /// Runs `body` while another thread saves without a pause, after changing a note if nobody else does. Returns the
  /// number of saves too.
  private static func whileSaving(
    _ store: Store<Notebook>, changing id: Note.ID?, _ body: () throws -> Latencies
  ) throws -> (Latencies, saves: Int) {
    let saver = BackToBackSaver(store, changing: id)
    let latencies = try body()
    return (latencies, saves: try saver.finish())
  }
}

/// A thread that saves a store repeatedly.
private final class BackToBackSaver: Sendable {
  private let isStopped = Atomic<Bool>(false)
  private let outcome = Mutex<Result<Int, any Error>>(.success(0))
  private let end = DispatchSemaphore(value: 0)

  init(_ store: Store<Notebook>, changing id: Note.ID?) {
    Thread.detachNewThread { [self] in
      let result = Result { try run(store, id) }
      outcome.withLock { $0 = result }
      end.signal()
    }
  }

  private func run(_ store: Store<Notebook>, _ id: Note.ID?) throws -> Int {
    let before = store.status.saves
    var number = 0
    while !isStopped.load(ordering: .relaxed) {
      number += 1
      if let id { try store.write { try $0.setText("changed \(number)", of: id) } }
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
