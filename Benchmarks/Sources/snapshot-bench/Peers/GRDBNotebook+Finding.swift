import Foundation
import GRDB

extension GRDBNotebook {
  /// A page of all notes, newest first, by key.
  func timelinePage(after last: TimelineRow?, limit: Int) throws -> [TimelineRow] {
    try pool.read { db in
      // The sort dates of the benchmark differ. The id would decide between equal ones, in the order of the index.
      let rows = try Row.fetchCursor(
        db.cachedStatement(
          sql: """
            SELECT id, text, sortDate FROM note WHERE (sortDate, id) < (?, ?) ORDER BY sortDate DESC, id DESC LIMIT ?
            """),
        arguments: [last?.sortDate.timeIntervalSinceReferenceDate ?? 1e300, last?.id ?? Int64.max, limit])
      return try Array(
        rows.map { row in
          let text: String = row[1]
          let title = text.utf8.firstIndex(of: 0x0A).map { String(text[..<$0]) } ?? text
          return TimelineRow(id: row[0], title: title, sortDate: Date(timeIntervalSinceReferenceDate: row[2]))
        })
    }
  }

  /// The ids of all notes, newest first.
  func idsByDate() throws -> [Int64] {
    try pool.read { db in
      try Int64.fetchAll(db.cachedStatement(sql: "SELECT id FROM note ORDER BY sortDate DESC, id DESC"))
    }
  }

  /// The newest notes whose texts contain every word, ignoring the case of ASCII.
  func search(_ words: [String], limit: Int) throws -> [Int64] {
    try pool.read { db in
      let conditions = words.map { _ in "text LIKE ?" }.joined(separator: " AND ")
      let statement = try db.cachedStatement(
        sql: "SELECT id FROM note WHERE \(conditions) ORDER BY sortDate DESC LIMIT ?")
      let arguments = StatementArguments(words.map { "%\($0)%" }) + [limit]
      return try Int64.fetchAll(statement, arguments: arguments)
    }
  }

  /// The tags whose names contain a part, ignoring the case of ASCII: the tag of that name, then those that begin with
  /// it.
  func suggestions(for part: String, limit: Int) throws -> [String] {
    try pool.read { db in
      let statement = try db.cachedStatement(
        sql: """
          SELECT key FROM tag WHERE name LIKE ?1
          ORDER BY key = ?2 DESC, name LIKE ?3 DESC, name LIKE ?3 OR instr(name, ?2) > 0 DESC, key LIMIT ?4
          """)
      return try String.fetchAll(statement, arguments: ["%\(part)%", part, "\(part)%", limit])
    }
  }

  /// The notes that were changed at a date or later, in order of their ids, without their tags.
  func notes(modifiedSince date: Date) throws -> [PlainNote] {
    try pool.read { db in
      try PlainNote.fetchAll(
        db.cachedStatement(sql: "SELECT * FROM note WHERE modificationDate >= ? ORDER BY id"),
        arguments: [date.timeIntervalSinceReferenceDate])
    }
  }
}
