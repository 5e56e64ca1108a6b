import Foundation
import SnapshotNotebook
import SnapshotStore

/// The cost of one write in a large store, compared with a small one.
func scaleRow() -> BenchmarkRow {
  BenchmarkRow(
    "scale.write-one",
    "A transaction of one note among ten times as many notes as --notes says, against a tenth of them: 1,000,000 and 10,000.",
    unit: .microseconds, peer: "a store of a hundredth the size", target: 0.5
  ) { work, rounds in
    let large = store(min(1_000_000, work.count * 10), work.seed)
    let small = store(max(100, min(10_000, work.count / 10)), work.seed)
    return try alternating(rounds: rounds) {
      try write(large, work.seed)
    } peer: {
      try write(small, work.seed)
    }
  }
}

/// A store in memory with short notes.
private func store(_ count: Int, _ seed: UInt64) -> (store: Store<BareNotebook>, ids: [Note.ID]) {
  let notes = NoteGenerator.shortNotes(count, seed: seed)
  return (Store(BareNotebook(notes: notes)), notes.map(\.id))
}

/// Seconds for one transaction, over random notes.
private func write(_ large: (store: Store<BareNotebook>, ids: [Note.ID]), _ seed: UInt64) throws -> Double {
  var random = SplitMix64(seed: seed)
  let ids = (0..<20_000).map { _ in random.pick(large.ids) }
  let date = Date()
  return try seconds {
    for (number, id) in ids.enumerated() {
      let sortDate = date.addingTimeInterval(Double(number))
      try large.store.write { root in
        _ = try root.notes.update(id) { $0.setSortDate(sortDate, at: date) }
      }
    }
  } / Double(ids.count)
}
