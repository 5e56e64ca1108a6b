import Foundation
import SnapshotNotebook
import SnapshotStore

/// Single transactions and single reads of a store with a file and the default policy, compared with GRDB.
func transactionRows() -> [BenchmarkRow] {
  [
    BenchmarkRow(
      "write-one.vs-grdb",
      "A transaction that changes text and sort date of one note, indexes included; for ours in memory, saved later.",
      unit: .microseconds, peer: "GRDB UPDATE", target: 6, measure: writeOne),
    BenchmarkRow(
      "read-one.vs-grdb", "Reading one note by its id.", unit: .nanoseconds,
      peer: "GRDB fetchOne, without tags", target: 100, measure: readOne),
    BenchmarkRow(
      "tag.existing.vs-grdb", "The tag of a name, made if need be; it is there.",
      unit: .microseconds, peer: "GRDB SELECT in a write", target: 100, measure: existingTag),
  ]
}

private func writeOne(_ work: Workload, _ rounds: Int) throws -> Measurement {
  let store = try Store<Notebook>.open(at: work.copy(of: work.file(.json)))
  let database = try GRDBNotebook(at: work.copy(of: work.database()))
  let ids = work.randomIDs(10_000, purpose: 3)
  var number = 0
  let measurement = try alternating(rounds: rounds) {
    number += 1
    let date = Date(timeIntervalSinceReferenceDate: 800_000_000.25 + Double(number))
    let total = try seconds {
      for id in ids {
        try store.write { notebook in
          guard var note = notebook.notes[id] else { throw BenchmarkFailure("note \(id) is missing") }
          note.setText("A new text, number \(number)", at: date)
          note.setSortDate(date, at: date)
          try notebook.upsert(note)
        }
      }
    }
    // A save that these changes caused must not run during the peer's measurement.
    try store.flushAndWait()
    return total / Double(ids.count)
  } peer: {
    let date = Date(timeIntervalSinceReferenceDate: 900_000_000.25 + Double(number))
    let some = ids.prefix(1000)
    return try seconds {
      for id in some { try database.change(id, text: "A new text, number \(number)", sortDate: date, at: date) }
    } / Double(some.count)
  }
  try store.closeAndWait()
  try database.pool.close()
  return measurement
}

private func readOne(_ work: Workload, _ rounds: Int) throws -> Measurement {
  let store = try Store<Notebook>.open(at: work.copy(of: work.file(.json)))
  let database = try GRDBNotebook(at: work.copy(of: work.database()))
  let ids = work.randomIDs(100_000, purpose: 4)
  let some = ids.prefix(5000)
  func length(_ id: Note.ID) -> Int { store.read { $0.notes[id]?.text.utf8.count ?? 0 } }
  try requireEqual(
    some.reduce(0) { $0 + length($1) }, try some.reduce(0) { try $0 + (database.note($1)?.text.utf8.count ?? 0) },
    "texts")
  var sum = 0
  let measurement = try alternating(rounds: rounds) {
    seconds { for id in ids { sum += length(id) } } / Double(ids.count)
  } peer: {
    try seconds { for id in some { sum += try database.note(id)?.text.utf8.count ?? 0 } } / Double(some.count)
  }
  guard sum > 0 else { throw BenchmarkFailure("nothing was read") }
  try store.closeAndWait()
  try database.pool.close()
  return measurement
}

private func existingTag(_ work: Workload, _ rounds: Int) throws -> Measurement {
  let store = try Store<Notebook>.open(at: work.copy(of: work.file(.json)))
  let database = try GRDBNotebook(at: work.copy(of: work.database()))
  let names = work.notebook.tags.map(\.name)
  let before = store.revision
  let measurement = try alternating(rounds: rounds) {
    let repeats = 100
    let total = try seconds {
      for _ in 0..<repeats {
        for name in names { try store.tag(named: name) }
      }
    }
    return total / Double(repeats * names.count)
  } peer: {
    let repeats = 10
    var tags: Set<Int64> = []
    let total = try seconds {
      for _ in 0..<repeats {
        for name in names { tags.insert(try database.tag(named: name).id) }
      }
    }
    try requireEqual(names.count, tags.count, "tags")
    return total / Double(repeats * names.count)
  }
  try requireEqual(store.revision, before, "the revision, as every tag was there")
  try store.closeAndWait()
  try database.pool.close()
  return measurement
}
