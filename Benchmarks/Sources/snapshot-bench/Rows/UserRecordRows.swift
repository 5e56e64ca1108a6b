import Foundation
import SnapshotNotebook
import SnapshotStore

/// A record type of this program, compared with the library's own `Note`, in models of one table with equal indexes.
func userRecordRows() -> [BenchmarkRow] {
  [
    BenchmarkRow(
      "user-record.write-one", "A transaction of one record of a type declared in another module.",
      unit: .microseconds, peer: "Note", target: 0.67
    ) { work, rounds in
      let user = Store(work.userNotebook)
      let note = Store(BareNotebook(notes: work.notes))
      let ids = work.randomIDs(20_000, purpose: 9)
      let start = Date()
      return try alternating(rounds: rounds) {
        try seconds {
          for (number, id) in ids.enumerated() {
            let date = start.addingTimeInterval(Double(number))
            try user.write { root in
              try root.notes.update(id) {
                $0.sortDate = date
                $0.sortDateModificationDate = date
                $0.modificationDate = date
              }
            }
          }
        } / Double(ids.count)
      } peer: {
        try seconds {
          for (number, id) in ids.enumerated() {
            let date = start.addingTimeInterval(Double(number))
            try note.write { root in
              _ = try root.notes.update(id) { $0.setSortDate(date, at: date) }
            }
          }
        } / Double(ids.count)
      }
    },
    BenchmarkRow(
      "user-record.lookup", "Finding a record of a type declared in another module by its id.",
      unit: .nanoseconds, peer: "Note", target: 0.67
    ) { work, rounds in
      let user = work.userNotebook.notes
      let note = work.notebook.notes
      let ids = work.randomIDs(200_000, purpose: 10)
      var sums = (user: 0, note: 0)
      let measurement = alternating(rounds: rounds + 2) {
        sums.user = 0
        return seconds { for id in ids { sums.user += user[id]?.text.utf8.count ?? 0 } } / Double(ids.count)
      } peer: {
        sums.note = 0
        return seconds { for id in ids { sums.note += note[id]?.text.utf8.count ?? 0 } } / Double(ids.count)
      }
      try requireEqual(sums.user, sums.note, "the lengths of the texts found")
      return measurement
    },
  ]
}
