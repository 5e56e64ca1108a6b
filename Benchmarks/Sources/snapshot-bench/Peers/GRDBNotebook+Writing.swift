import Foundation
import GRDB

extension GRDBNotebook {
  /// Changes the text and the date that lists are ordered by, in a transaction of its own.
  func change(_ id: Int64, text: String, sortDate: Date, at date: Date) throws {
    try pool.write { db in
      let now = date.timeIntervalSinceReferenceDate
      try db.cachedStatement(
        sql: """
          UPDATE note SET text = ?, sortDate = ?, textModificationDate = ?, sortDateModificationDate = ?,
          modificationDate = ? WHERE id = ?
          """
      ).execute(arguments: [text, sortDate.timeIntervalSinceReferenceDate, now, now, now, id])
    }
  }

  /// The key of the tag with a name, made if there is none.
  func tag(named name: String) throws -> Int64 {
    try pool.write { db in
      let key = name.lowercased()
      let find = try db.cachedStatement(sql: "SELECT id FROM tag WHERE key = ?")
      if let id = try Int64.fetchOne(find, arguments: [key]) { return id }
      try db.cachedStatement(sql: "INSERT INTO tag (key, name, nameModificationDate) VALUES (?, ?, ?)")
        .execute(arguments: [key, name, Date().timeIntervalSinceReferenceDate])
      return db.lastInsertedRowID
    }
  }

  /// Marks notes archived, in one transaction. Returns how many changed.
  func archive(_ ids: [Int64], at date: Date) throws -> Int {
    try pool.write { db in
      let before = db.totalChangesCount
      let now = date.timeIntervalSinceReferenceDate
      let statement = try db.cachedStatement(
        sql: """
          UPDATE note SET archived = 1, archivedModificationDate = ?, modificationDate = ? WHERE id = ? AND archived = 0
          """)
      for id in ids { try statement.execute(arguments: [now, now, id]) }
      return db.totalChangesCount - before
    }
  }

  /// Deletes notes with their relations and leaves tombstones, in one transaction.
  func delete(_ ids: [Int64], at date: Date) throws {
    try pool.write { db in
      let now = date.timeIntervalSinceReferenceDate
      let delete = try db.cachedStatement(sql: "DELETE FROM note WHERE id = ?")
      let remember = try db.cachedStatement(sql: "INSERT OR REPLACE INTO deletedNote VALUES (?, ?)")
      for id in ids {
        try delete.execute(arguments: [id])
        try remember.execute(arguments: [id, now])
      }
    }
  }

  /// How many notes and relations there are.
  func counts() throws -> [Int] {
    try pool.read { db in
      try ["note", "noteTag", "note WHERE archived"].map { try Int.fetchOne(db, sql: "SELECT count(*) FROM \($0)") ?? 0 }
    }
  }
}
