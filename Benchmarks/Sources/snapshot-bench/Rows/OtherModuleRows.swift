import Foundation
import SnapshotNotebook
import SnapshotStore

/// The cost of a record type of this program, compared with `Note`: whether a module of its own is expensive.
func otherModuleRows() -> [BenchmarkRow] {
  [
    BenchmarkRow(
      "open.json.other-module", "Opening a JSON store of a DirectRecord of this program, against one of notes.",
      unit: .milliseconds, peer: "Note", target: 0.8
    ) { work, rounds in
      let file = try work.made("direct.json") {
        try SnapshotFile.create(work.directNotebook, as: .json, at: $0)
      }
      let peerFile = try work.made("bare.json") {
        let notes = BareNotebook(notes: work.notes)
        try SnapshotFile.create(notes, as: .json, at: $0)
      }
      return try alternating(rounds: rounds) {
        let (store, seconds) = try timed { try Store<DirectNotebook>.open(at: file) }
        try requireEqual(store.read { $0.notes.textLength }, work.textLength, "the texts that were opened")
        return seconds
      } peer: {
        let (store, seconds) = try timed { try Store<BareNotebook>.open(at: peerFile) }
        try requireEqual(store.read { $0.notes.textLength }, work.textLength, "the texts that were opened")
        return seconds
      }
    },
    BenchmarkRow(
      "save.json.other-module", "Encoding the same records as JSON.", unit: .milliseconds, peer: "Note", target: 0.8
    ) { work, rounds in
      let (own, notes) = (work.directNotebook, BareNotebook(notes: work.notes))
      return try alternating(rounds: rounds) {
        try encodingTime(of: own, work)
      } peer: {
        try encodingTime(of: notes, work)
      }
    },
  ]
}

private func encodingTime<Root: Model>(of root: Root, _ work: Workload) throws -> Double {
  let (encoded, seconds) = try timed { try SnapshotFile.encode(root, as: .json) }
  guard encoded.count > work.textLength else { throw BenchmarkFailure("too few bytes were encoded") }
  return seconds
}

extension DirectNote: TextHolder {}
