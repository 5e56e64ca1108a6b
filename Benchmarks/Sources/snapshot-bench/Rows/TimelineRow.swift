import Foundation
import SnapshotStore

/// The newest 100 active notes of one tag, for a list on the screen.
func timelineRow() -> BenchmarkRow {
  BenchmarkRow(
    "timeline.vs-grdb", "The newest 100 active notes of a tag, each with id, title and sort date.",
    unit: .microseconds, peer: "GRDB, JOIN … LIMIT 100", target: 20
  ) { work, rounds in
    let store = Store(work.notebook)
    let database = try GRDBNotebook(at: work.copy(of: work.database()))
    let tags = Array(work.notebook.tags.ids.prefix(50))
    var ourIDs: [Int64] = []
    var peerIDs: [Int64] = []
    var touched = 0
    let measurement = try alternating(rounds: rounds) {
      ourIDs = []
      return seconds {
        for tag in tags {
          for row in store.read({ $0.timeline(.tagged(tag), limit: 100) }) {
            ourIDs.append(row.id)
            touched += row.title.utf8.count + Int(row.sortDate.timeIntervalSinceReferenceDate)
          }
        }
      } / Double(tags.count)
    } peer: {
      peerIDs = []
      return try seconds {
        for tag in tags {
          for row in try database.timeline(tag: tag, limit: 100) {
            peerIDs.append(row.id)
            touched += row.title.utf8.count + Int(row.sortDate.timeIntervalSinceReferenceDate)
          }
        }
      } / Double(tags.count)
    }
    try requireEqual(ourIDs, peerIDs, "ids of the newest notes")
    guard touched > 0 else { throw BenchmarkFailure("nothing was listed") }
    try database.pool.close()
    return measurement
  }
}
