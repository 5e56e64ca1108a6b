import Foundation
import SnapshotNotebook
import SnapshotStore

/// Lists page by page, and searches in texts.
func findRows() -> [BenchmarkRow] {
  [
    timelinePagesRow(),
    searchRow("rare", "zanzibar", "A word that no note has, active and archived notes.", limit: .max, target: 1),
    searchRow(
      "rare-scattered", "zanzibar", "The same where every note lies elsewhere in memory.", limit: .max,
      isScattered: true,
      target: 1),
    searchRow("common", "umbrella", "The newest 50 notes with a common word.", limit: 50, target: 1),
    searchRow("two-words", "umbrella museum", "The notes with both of two common words.", limit: .max, target: 1),
    modifiedSinceRow(),
    suggestionsRow(),
  ]
}

/// A hundred pages of fifty notes from the newest on, of active and archived ones.
private func timelinePagesRow() -> BenchmarkRow {
  BenchmarkRow(
    "timeline.page", "A page of 50 of all notes, behind the one before; the first hundred pages.", unit: .microseconds,
    peer: "GRDB, WHERE (sortDate, id) < (?, ?) LIMIT 50", target: 10
  ) { work, rounds in
    let store = Store(work.notebook)
    let database = try GRDBNotebook(at: work.copy(of: work.database()))
    let pages = max(1, min(100, work.count / 50))
    var ourIDs: [Int64] = []
    var peerIDs: [Int64] = []
    var touched = 0
    let measurement = try alternating(rounds: rounds) {
      ourIDs = []
      return seconds {
        var position: TimelinePosition?
        for _ in 0..<pages {
          let page = store.read { $0.timeline(.all, after: position, limit: 50) }
          position = page.last?.position
          for row in page {
            ourIDs.append(row.id)
            touched += row.title.utf8.count
          }
        }
      } / Double(pages)
    } peer: {
      peerIDs = []
      return try seconds {
        var last: TimelineRow?
        for _ in 0..<pages {
          let page = try database.timelinePage(after: last, limit: 50)
          last = page.last
          for row in page {
            peerIDs.append(row.id)
            touched += row.title.utf8.count
          }
        }
      } / Double(pages)
    }
    try requireEqual(ourIDs, peerIDs, "ids of the pages")
    guard touched > 0 else { throw BenchmarkFailure("nothing was listed") }
    try database.pool.close()
    return measurement
  }
}

/// A search, compared with an app without an index for texts. The words are plain ones, which no note has with accents.
///
/// - Parameter isScattered: search the notebook that was made note by note in random order. Otherwise search one that
///   was opened from a file, whose notes are adjacent in memory.
private func searchRow(
  _ name: String, _ query: String, _ summary: String, limit: Int, isScattered: Bool = false, target: Double
) -> BenchmarkRow {
  BenchmarkRow("search.\(name)", summary, unit: .milliseconds, peer: "GRDB, LIKE '%word%'", target: target) {
    work, rounds in
    let notebook = isScattered ? work.notebook : try SnapshotFile.read(Notebook.self, at: work.file(.json))
    let store = Store(notebook)
    let database = try GRDBNotebook(at: work.copy(of: work.database()))
    var ourIDs: [Int64] = []
    var peerIDs: [Int64] = []
    let measurement = try alternating(rounds: rounds) {
      seconds { ourIDs = store.read { $0.search(query, in: NoteFilter(archived: nil), limit: limit) }.map(\.id) }
    } peer: {
      try seconds { peerIDs = try database.search(query.split(separator: " ").map(String.init), limit: limit) }
    }
    try requireEqual(ourIDs, peerIDs, "ids of the notes found")
    try database.pool.close()
    return measurement
  }
}

/// The suggestions after each of the first letters of every tag's name.
private func suggestionsRow() -> BenchmarkRow {
  BenchmarkRow(
    "tag.suggest", "Ten tags for the beginning of a name, of a notebook with two hundred.", unit: .microseconds,
    peer: "GRDB, LIKE '%part%' ORDER BY prefix first", target: 1
  ) { work, rounds in
    let store = Store(work.notebook)
    let database = try GRDBNotebook(at: work.copy(of: work.database()))
    let parts = store.read { $0.tags.flatMap { tag in (1...3).map { String(tag.id.prefix($0)) } } }
    var ourIDs: [[String]] = []
    var peerIDs: [[String]] = []
    let measurement = try alternating(rounds: rounds) {
      seconds { ourIDs = parts.map { part in store.read { $0.tagSuggestions(for: part, limit: 10) }.map(\.id) } }
        / Double(parts.count)
    } peer: {
      try seconds { peerIDs = try parts.map { try database.suggestions(for: $0, limit: 10) } } / Double(parts.count)
    }
    try requireEqual(ourIDs, peerIDs, "ids of the tags suggested")
    try database.pool.close()
    return measurement
  }
}

private func modifiedSinceRow() -> BenchmarkRow {
  BenchmarkRow(
    "modified-since", "The notes that were changed in the last year.", unit: .milliseconds,
    peer: "GRDB, WHERE modificationDate >= ?, without an index", target: 10
  ) { work, rounds in
    let store = Store(work.notebook)
    let database = try GRDBNotebook(at: work.copy(of: work.database()))
    let date = (work.notes.map(\.modificationDate).max() ?? Date()).addingTimeInterval(-31_557_600)
    var ourIDs: [Int64] = []
    var peerIDs: [Int64] = []
    let measurement = try alternating(rounds: rounds) {
      seconds { ourIDs = store.read { $0.notes(modifiedSince: date) }.map(\.id) }
    } peer: {
      try seconds { peerIDs = try database.notes(modifiedSince: date).map(\.id) }
    }
    try requireEqual(ourIDs, peerIDs, "ids of the notes changed")
    try database.pool.close()
    return measurement
  }
}
