import Foundation
import SnapshotNotebook
import SnapshotStore

/// The time of single transactions while one types, and every one is saved in the journal at once.
func typingRows() -> [BenchmarkRow] {
  let figures: [(name: String, words: String, pick: (Latencies) -> Double)] = [
    ("p99.9", "The 99.9th percentile", { $0.percentile(99.9) }), ("max", "The longest", { $0.max }),
  ]
  return figures.map { figure in
    BenchmarkRow(
      "latency.typing-\(figure.name)",
      figure.words + " of the transactions of 60 s, one each 5 ms, saved in a journal that is folded at 1 MB.",
      unit: .microseconds, peer: "no saves meanwhile", target: nil, mostRounds: 1, process: "typing"
    ) { work, _ in
      let typing = try work.typing()
      return Measurement(
        ours: figure.pick(typing.busy), peer: figure.pick(typing.quiet),
        remark: "\(typing.saves) saves and \(typing.folds) folds meanwhile")
    }
  }
}

/// The latencies of typing with saves into a journal, and without saves.
struct TypingMeasurement {
  let busy: Latencies
  let quiet: Latencies
  let saves: Int
  let folds: Int

  init(_ work: Workload) throws {
    let ids = work.randomIDs(50, purpose: 12)
    func type(_ options: StoreOptions, for seconds: Double) throws -> (Latencies, StoreStatus) {
      let store = try Store<Notebook>.open(at: work.copy(of: work.file(.json)), options: options)
      var times: [Double] = []
      let end = ContinuousClock.now + .seconds(seconds)
      var next = ContinuousClock.now
      while next < end {
        Thread.sleep(forTimeInterval: max(0, (next - ContinuousClock.now).seconds))
        let (id, text) = (ids[times.count / 200 % ids.count], "What one types, key by key: \(times.count)")
        let start = ContinuousClock.now
        try store.write { try $0.setText(text, of: id) }
        times.append((ContinuousClock.now - start).seconds)
        next += .milliseconds(5)
      }
      let status = store.status
      try store.closeAndWait()
      return (Latencies(times), status)
    }
    // A minute on 100,000 notes.
    let seconds = min(60, Double(work.count) * 0.0006)
    quiet = try type(StoreOptions(policy: .manual), for: seconds / 4).0
    let (busy, status) = try type(StoreOptions(policy: .immediate, journal: .beside(share: 0)), for: seconds)
    self.busy = busy
    (saves, folds) = (status.saves, status.folds)
  }
}
