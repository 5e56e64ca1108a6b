import Foundation
import GRDB
import SnapshotNotebook
import SnapshotStore

/// A notebook in SQLite, as GRDB's documentation recommends for speed. It has a pool (WAL), records without `Codable`,
/// columns by index, cached statements, and one transaction for many changes.
struct GRDBNotebook {
  let pool: DatabasePool

  /// Opens a database. GRDB itself sets foreign keys and `synchronous=NORMAL` for pools.
  ///
  /// - Parameters:
  ///   - isDurable: whether a transaction is on the disk when its call returns: `synchronous=FULL`.
  ///   - isShared: whether other processes write too, so a transaction waits for theirs.
  init(at url: URL, isDurable: Bool = false, isShared: Bool = false) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = true
    if isShared { configuration.busyMode = Self.waiting }
    pool = try DatabasePool(path: url.path, configuration: configuration)
    if isDurable {
      // Not in `prepareDatabase`: GRDB sets NORMAL afterwards.
      let level = try pool.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA synchronous = FULL")
        return try Int.fetchOne(db, sql: "PRAGMA synchronous")
      }
      if level != 2 { throw BenchmarkFailure("the database is not synchronous=FULL") }
    }
  }

  /// Asks again after a fraction of a millisecond. SQLite's own handler, `.timeout`, soon waits for much longer than
  /// a transaction takes.
  private static let waiting = Database.BusyMode.callback { _ in
    usleep(.random(in: 125...500))
    return true
  }

  /// Makes a database with a notebook's contents, and empties its log.
  static func create(at url: URL, with notebook: Notebook) throws {
    let database = try GRDBNotebook(at: url)
    try database.pool.write { db in
      try db.execute(sql: schema)
      try database.fill(db, from: notebook)
    }
    _ = try database.pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
    try database.pool.writeWithoutTransaction { try $0.execute(sql: "ANALYZE") }
    _ = try database.pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
    try database.pool.close()
  }

  /// Dates are numbers, which is exact and cheaper than GRDB's default, text. Tags have small keys.
  private static let schema = """
    CREATE TABLE note (
      id INTEGER PRIMARY KEY, text TEXT NOT NULL, archived BOOLEAN NOT NULL,
      creationDate REAL NOT NULL, sortDate REAL NOT NULL, modificationDate REAL NOT NULL,
      textModificationDate REAL, archivedModificationDate REAL, sortDateModificationDate REAL,
      tagsModificationDate REAL, attachmentsModificationDate REAL);
    CREATE INDEX noteBySortDate ON note(sortDate);
    CREATE INDEX noteByArchived ON note(archived);
    CREATE TABLE tag (
      id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, name TEXT NOT NULL, nameModificationDate REAL);
    CREATE TABLE noteTag (
      noteID INTEGER NOT NULL REFERENCES note(id) ON DELETE CASCADE, position INTEGER NOT NULL,
      tagID INTEGER NOT NULL REFERENCES tag(id) ON DELETE CASCADE,
      PRIMARY KEY (noteID, position)) WITHOUT ROWID;
    CREATE INDEX noteTagByTag ON noteTag(tagID, noteID);
    CREATE TABLE attachment (
      id TEXT PRIMARY KEY, mimeType TEXT NOT NULL, height INTEGER NOT NULL, width INTEGER NOT NULL);
    CREATE TABLE noteAttachment (
      noteID INTEGER NOT NULL REFERENCES note(id) ON DELETE CASCADE, position INTEGER NOT NULL,
      attachmentID TEXT NOT NULL REFERENCES attachment(id) ON DELETE CASCADE,
      PRIMARY KEY (noteID, position)) WITHOUT ROWID;
    CREATE INDEX noteAttachmentByAttachment ON noteAttachment(attachmentID, noteID);
    CREATE TABLE deletedNote (id INTEGER PRIMARY KEY, deletionDate REAL);
    """

  private func fill(_ db: Database, from notebook: Notebook) throws {
    for attachment in notebook.attachments {
      try db.cachedStatement(sql: "INSERT INTO attachment VALUES (?, ?, ?, ?)")
        .execute(arguments: [attachment.id, attachment.mimeType, attachment.height, attachment.width])
    }
    var tagIDs: [String: Int64] = [:]
    for tag in notebook.tags {
      try db.cachedStatement(sql: "INSERT INTO tag (key, name, nameModificationDate) VALUES (?, ?, ?)")
        .execute(arguments: [tag.id, tag.name, tag.nameModificationDate?.timeIntervalSinceReferenceDate])
      tagIDs[tag.id] = db.lastInsertedRowID
    }
    for note in notebook.notes { try insert(PlainNote(note), tagIDs, db) }
  }

  private func insert(_ note: PlainNote, _ tagIDs: [String: Int64], _ db: Database) throws {
    try db.cachedStatement(sql: "INSERT INTO note VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)").execute(arguments: [
      note.id, note.text, note.archived, note.creationDate.timeIntervalSinceReferenceDate,
      note.sortDate.timeIntervalSinceReferenceDate, note.modificationDate.timeIntervalSinceReferenceDate,
      note.textModificationDate?.timeIntervalSinceReferenceDate,
      note.archivedModificationDate?.timeIntervalSinceReferenceDate,
      note.sortDateModificationDate?.timeIntervalSinceReferenceDate,
      note.tagsModificationDate?.timeIntervalSinceReferenceDate,
      note.attachmentsModificationDate?.timeIntervalSinceReferenceDate,
    ])
    for (position, tag) in note.tags.enumerated() {
      try db.cachedStatement(sql: "INSERT INTO noteTag VALUES (?, ?, ?)")
        .execute(arguments: [note.id, position, tagIDs[tag]])
    }
    for (position, attachment) in note.attachments.enumerated() {
      try db.cachedStatement(sql: "INSERT INTO noteAttachment VALUES (?, ?, ?)")
        .execute(arguments: [note.id, position, attachment])
    }
  }
}
