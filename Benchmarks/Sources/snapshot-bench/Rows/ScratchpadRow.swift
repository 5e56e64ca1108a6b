import Foundation
import SnapshotNotebook
import SnapshotStore

/// A staged change. A scratchpad of all notes is made, one note is changed in it, and it is committed after the store
/// has changed another note.
func scratchpadRow() -> BenchmarkRow {
  BenchmarkRow(
    "scratchpad.vs-grdb",
    "A scratchpad taken, one note changed in it, another in the store, and committed with a merge; for ours in memory.",
    unit: .microseconds, peer: "GRDB, two UPDATEs", target: 1
  ) { work, rounds in
    let store = try Store<Notebook>.open(at: work.copy(of: work.file(.json)))
    let database = try GRDBNotebook(at: work.copy(of: work.database()))
    let ids = work.differentIDs(min(1000, work.count), purpose: 11)
    let pairs = zip(ids.prefix(ids.count / 2), ids.suffix(ids.count / 2))
    var number = 0
    let measurement = try alternating(rounds: rounds) {
      number += 1
      let date = Date(timeIntervalSinceReferenceDate: 800_000_000.25 + Double(number))
      let total = try seconds {
        for (one, other) in pairs {
          let pad = store.scratchpad()
          try pad.write { try change(one, in: &$0, number, date) }
          try store.write { try change(other, in: &$0, number, date) }
          try pad.commit()
        }
      }
      let changed = store.read { $0.notes.count { $0.text == "A new text, number \(number)" } }
      try requireEqual(changed, ids.count / 2 * 2, "changed notes")
      // A save that these changes caused must not run during the peer's measurement.
      try store.flushAndWait()
      return total / Double(ids.count / 2)
    } peer: {
      let date = Date(timeIntervalSinceReferenceDate: 900_000_000.25 + Double(number))
      return try seconds {
        for (one, other) in pairs {
          for id in [one, other] { try database.change(id, text: "Number \(number)", sortDate: date, at: date) }
        }
      } / Double(ids.count / 2)
    }
    try store.closeAndWait()
    try database.pool.close()
    return measurement
  }
}

private func change(_ id: Note.ID, in notebook: inout Notebook, _ number: Int, _ date: Date) throws {
  guard var note = notebook.notes[id] else { throw BenchmarkFailure("note \(id) is missing") }
  note.setText("A new text, number \(number)", at: date)
  note.setSortDate(date, at: date)
  try notebook.upsert(note)
}
