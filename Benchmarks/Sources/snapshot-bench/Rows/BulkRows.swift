import Foundation
import SnapshotNotebook
import SnapshotStore

/// Ten thousand notes in one transaction; a tenth of the notes if there are fewer.
func bulkRows() -> [BenchmarkRow] {
  [
    BenchmarkRow(
      "bulk-mark-10k.vs-grdb", "Marking 10,000 notes archived in one transaction.", unit: .milliseconds,
      peer: "GRDB, cached UPDATE", target: 5
    ) { work, rounds in
      try bulk(work, rounds) { notebook, ids in
        try notebook.apply(.setArchived(true), to: ids)
      } peer: { database, ids in
        try database.archive(ids, at: Date())
      }
    },
    BenchmarkRow(
      "bulk-delete-10k.vs-grdb",
      "Deleting 10,000 notes with their relations in one transaction, leaving a tombstone for each.",
      unit: .milliseconds, peer: "GRDB, cached DELETE, cascade", target: 5
    ) { work, rounds in
      try bulk(work, rounds) { notebook, ids in
        try requireEqual(notebook.deleteNotes(ids).count, ids.count, "deleted notes")
      } peer: { database, ids in
        try database.delete(ids, at: Date())
      }
    },
  ]
}

/// Both sides start from the same notes in each round, and end with the same numbers of notes and of archived ones.
private func bulk(
  _ work: Workload, _ rounds: Int, ours: (inout Notebook, [Note.ID]) throws -> Void,
  peer: (GRDBNotebook, [Note.ID]) throws -> Void
) throws -> Measurement {
  let ids = work.differentIDs(min(10_000, work.count / 10), purpose: 7)
  let original = try work.database()
  let store = try Store<Notebook>.open(at: work.copy(of: work.file(.json)))
  let before = store.snapshot()
  var ourCounts: [Int] = []
  var peerCounts: [Int] = []
  let measurement = try alternating(rounds: rounds) {
    let (_, total) = try timed { try store.write { try ours(&$0, ids) } }
    ourCounts = store.read { root in
      [root.notes.count, root.notes.reduce(0) { $0 + $1.tags.count }, root.notes.count { $0.archived }]
    }
    try store.write { $0 = before.value }
    try store.flushAndWait()
    return total
  } peer: {
    let copy = try work.copy(of: original)
    let database = try GRDBNotebook(at: copy)
    // The connection and its log exist before the measurement.
    _ = try database.tag(named: work.notebook.tags.first?.name ?? "")
    try database.change(ids[0], text: "warm", sortDate: Date(), at: Date())
    let total = try seconds { try peer(database, ids) }
    peerCounts = try database.counts()
    try database.pool.close()
    try FileManager.default.removeItem(at: copy)
    return total
  }
  try requireEqual(ourCounts, peerCounts, "notes, relations to tags and archived notes")
  try store.closeAndWait()
  return measurement
}
