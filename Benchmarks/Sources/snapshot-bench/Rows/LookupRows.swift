import HashTreeCollections
import SnapshotNotebook
import SnapshotStore

/// A table, compared with maps that only find by id.
func lookupRows() -> [BenchmarkRow] {
  [
    BenchmarkRow(
      "lookup.vs-dictionary", "Finding a note by its id in a table, ids in random order.", unit: .nanoseconds,
      peer: "Dictionary", target: 0.4
    ) { work, rounds in
      let dictionary = Dictionary(uniqueKeysWithValues: work.notes.map { ($0.id, $0) })
      return try lookup(work, rounds) { dictionary[$0]?.text.utf8.count ?? 0 }
    },
    BenchmarkRow(
      "lookup.vs-treedictionary", "The same beside the persistent map of swift-collections.", unit: .nanoseconds,
      peer: "TreeDictionary", target: 1.5
    ) { work, rounds in
      let dictionary = TreeDictionary(uniqueKeysWithValues: work.notes.map { ($0.id, $0) })
      return try lookup(work, rounds) { dictionary[$0]?.text.utf8.count ?? 0 }
    },
    BenchmarkRow(
      "write.vs-treedictionary", "Changing one record of a table without indexes while a snapshot of it is held.",
      unit: .nanoseconds, peer: "TreeDictionary", target: 1.5, measure: writeBesideSnapshot),
  ]
}

/// The closure is inlined into both loops.
@inline(__always)
private func lookup(_ work: Workload, _ rounds: Int, peer: (Note.ID) -> Int) throws -> Measurement {
  let table = work.notebook.notes
  let ids = work.randomIDs(200_000, purpose: 5)
  var sums = (ours: 0, peer: 0)
  let measurement = alternating(rounds: rounds + 2) {
    sums.ours = 0
    return seconds { for id in ids { sums.ours += table[id]?.text.utf8.count ?? 0 } } / Double(ids.count)
  } peer: {
    sums.peer = 0
    return seconds { for id in ids { sums.peer += peer(id) } } / Double(ids.count)
  }
  try requireEqual(sums.ours, sums.peer, "the lengths of the texts found")
  return measurement
}

private func writeBesideSnapshot(_ work: Workload, _ rounds: Int) throws -> Measurement {
  var table = try Table(work.plainNotes)
  var dictionary = TreeDictionary(uniqueKeysWithValues: work.plainNotes.map { ($0.id, $0) })
  let ids = work.randomIDs(20_000, purpose: 6)
  // Each change releases the previous snapshot, as a store does after a save.
  var heldTable = table
  var heldDictionary = dictionary
  let measurement = try alternating(rounds: rounds + 2) {
    try seconds {
      for id in ids {
        heldTable = table
        try table.update(id) { $0.archived.toggle() }
      }
    } / Double(ids.count)
  } peer: {
    seconds {
      for id in ids {
        heldDictionary = dictionary
        dictionary[id]?.archived.toggle()
      }
    } / Double(ids.count)
  }
  try requireEqual(
    table.count { $0.archived }, dictionary.values.count { $0.archived }, "archived notes after the changes")
  try requireEqual(heldTable.count, heldDictionary.count, "notes in the snapshots")
  return measurement
}
