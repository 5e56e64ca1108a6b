import Foundation
import SnapshotNotebook
import SnapshotStore

/// A merge of ten thousand notes that were changed elsewhere; a tenth of the notes if there are fewer.
func syncRow() -> BenchmarkRow {
  BenchmarkRow(
    "sync-merge-10k.vs-upsert", "Merging 10,000 notes that were changed elsewhere, by the dates of their properties.",
    unit: .milliseconds, peer: "one upsert a note, unmerged", target: nil
  ) { work, rounds in
    let incoming = try editedElsewhere(work)
    let store = Store(work.notebook)
    let before = store.snapshot()
    let notes = Array(incoming.notes)
    let content = SyncContent(incoming)
    var length = 0
    var peerLength = 0
    let measurement = try alternating(rounds: rounds) {
      let total = try seconds { try store.write { _ = try $0.merge(content) } }
      length = store.read { $0.notes.reduce(0) { $0 + $1.text.utf8.count } }
      try store.write { $0 = before.value }
      return total
    } peer: {
      let total = try seconds { try store.write { for note in notes { try $0.upsert(note) } } }
      peerLength = store.read { $0.notes.reduce(0) { $0 + $1.text.utf8.count } }
      try store.write { $0 = before.value }
      return total
    }
    try requireEqual(length, peerLength, "the length of all texts")
    return measurement
  }
}

/// A copy of the notes in which some have another text, reduced to its changes.
private func editedElsewhere(_ work: Workload) throws -> Notebook {
  var copy = work.notebook
  copy.sources.now = { Date(timeIntervalSinceReferenceDate: 900_000_000) }
  for id in work.differentIDs(min(10_000, work.count / 10), purpose: 8) {
    try copy.setText("Written elsewhere. " + (copy.notes[id]?.text ?? ""), of: id)
  }
  return copy.changed(since: work.notebook)
}
