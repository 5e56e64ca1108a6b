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
          for row in store.read({ newestNotes(of: tag, in: $0, limit: 100) }) {
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

/// The best that the queries of the notebook give today.
private func newestNotes(of tag: Tag.ID, in notebook: Notebook, limit: Int) -> [TimelineRow] {
  notebook.notes(tagged: tag).filter { !$0.archived }.sorted { $0.sortDate > $1.sortDate }.prefix(limit).map {
    TimelineRow(id: $0.id, title: $0.title, sortDate: $0.sortDate)
  }
}
