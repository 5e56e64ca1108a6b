import Foundation
import SnapshotNotebook
import SnapshotStore

/// The time that the first change after a save's snapshot makes its caller wait.
func stallRow() -> BenchmarkRow {
  BenchmarkRow(
    "stall.vs-dictionary",
    "The first change of one note after a save has taken its snapshot; the median of 20, whatever the rounds.",
    unit: .microseconds, peer: "Dictionary in a struct", target: 100
  ) { work, _ in
    let store = Store(work.notebook)
    var root = DictionaryRoot(notes: Dictionary(uniqueKeysWithValues: work.notes.map { ($0.id, $0) }))
    let ids = work.randomIDs(20, purpose: 8)
    var ourNumber = 0
    var peerNumber = 0
    return try alternating(rounds: 20) {
      let id = ids[ourNumber]
      ourNumber += 1
      let held = store.snapshot()
      let total = try seconds { _ = try store.write { try $0.setText("changed \(ourNumber)", of: id) } }
      try requireEqual(held.value.notes.count, work.count, "notes in the snapshot")
      return total
    } peer: {
      let id = ids[peerNumber]
      peerNumber += 1
      let held = root
      let total = seconds { _ = root.notes[id]?.setText("changed \(peerNumber)", at: Date()) }
      try requireEqual(held.notes.count, work.count, "notes in the peer's snapshot")
      return total
    }
  }
}

/// The value of a program without the library.
private struct DictionaryRoot {
  var notes: [Note.ID: Note]
}
