import Foundation
import GRDB

/// The posts in SQLite through GRDB: a pool (WAL), numbers for dates, records by hand from columns by index, and cached
/// statements.
struct ScaleDatabase {
  let pool: DatabasePool

  /// - Parameter isDurable: whether a transaction survives a power cut when it has returned. GRDB's default for pools,
  ///   `synchronous=NORMAL`, does not sync at each of them.
  init(at url: URL, isDurable: Bool = false) throws {
    pool = try DatabasePool(path: url.path)
    // A pool sets NORMAL when it opens, after the configuration's own statements.
    if isDurable { try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") } }
    let level = try pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
    try requireEqual(level, isDurable ? 2 : 1, "the level of synchronous")
  }

  /// Makes a database of posts, and empties its log.
  static func create(at url: URL, with posts: [ScalePost]) throws {
    let database = try ScaleDatabase(at: url)
    try database.pool.write { db in
      try db.execute(sql: tables)
      for post in posts { try insert(post, db) }
      try db.execute(sql: indexes)
      try db.execute(sql: "ANALYZE")
    }
    try database.close()
  }

  /// Adds an index of the words of titles and bodies, which SQLite keeps as posts change.
  static func addWords(at url: URL) throws {
    let database = try ScaleDatabase(at: url)
    try database.pool.write { try $0.execute(sql: words) }
    try database.close()
  }

  /// Empties the log and closes.
  func close() throws {
    _ = try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
    try pool.close()
  }

  private static let tables = """
    CREATE TABLE post (
      id INTEGER PRIMARY KEY, blogName TEXT NOT NULL, title TEXT NOT NULL, body TEXT NOT NULL, link TEXT,
      isDraft BOOLEAN NOT NULL, isRead BOOLEAN NOT NULL, likes INTEGER NOT NULL, score REAL NOT NULL, position REAL,
      created REAL NOT NULL, modified REAL NOT NULL, published REAL);
    CREATE TABLE postTag (
      postID INTEGER NOT NULL REFERENCES post(id) ON DELETE CASCADE, number INTEGER NOT NULL, tag TEXT NOT NULL,
      PRIMARY KEY (postID, number)) WITHOUT ROWID;
    """

  /// Made after the posts were inserted, which is the fastest way.
  private static let indexes = """
    CREATE INDEX postByCreated ON post(created);
    CREATE INDEX postByBlog ON post(blogName);
    CREATE INDEX postTagByTag ON postTag(tag, postID);
    """

  /// The triggers are those of GRDB's `synchronize(withTable:)`.
  private static let words = """
    CREATE VIRTUAL TABLE postText USING fts5(title, body, content='post', content_rowid='id');
    INSERT INTO postText(postText) VALUES ('rebuild');
    CREATE TRIGGER postTextInsert AFTER INSERT ON post BEGIN
      INSERT INTO postText(rowid, title, body) VALUES (new.id, new.title, new.body); END;
    CREATE TRIGGER postTextDelete AFTER DELETE ON post BEGIN
      INSERT INTO postText(postText, rowid, title, body) VALUES ('delete', old.id, old.title, old.body); END;
    CREATE TRIGGER postTextUpdate AFTER UPDATE ON post BEGIN
      INSERT INTO postText(postText, rowid, title, body) VALUES ('delete', old.id, old.title, old.body);
      INSERT INTO postText(rowid, title, body) VALUES (new.id, new.title, new.body); END;
    """

  private static func insert(_ post: ScalePost, _ db: Database) throws {
    try db.cachedStatement(sql: "INSERT INTO post VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)").execute(arguments: [
      post.id, post.blogName, post.title, post.body, post.link, post.isDraft, post.isRead, post.likes, post.score,
      post.position, post.created.timeIntervalSinceReferenceDate, post.modified.timeIntervalSinceReferenceDate,
      post.published?.timeIntervalSinceReferenceDate,
    ])
    for (number, tag) in post.tags.enumerated() {
      try db.cachedStatement(sql: "INSERT INTO postTag VALUES (?, ?, ?)").execute(arguments: [post.id, number, tag])
    }
  }
}

extension ScaleDatabase {
  /// One post by its id, without its tags.
  func post(_ id: Int64) throws -> ScalePost? {
    try pool.read { db in
      let statement = try db.cachedStatement(sql: "SELECT * FROM post WHERE id = ?")
      return try Row.fetchOne(statement, arguments: [id]).map(Self.post)
    }
  }

  /// The ids of a page of posts before a date, the newest first. Their titles are read too, as a list shows them.
  func page(before date: Date, limit: Int) throws -> [Int64] {
    try pool.read { db in
      let statement = try db.cachedStatement(
        sql: """
          SELECT id, title, created FROM post WHERE (created, id) < (?, ?) ORDER BY created DESC, id DESC LIMIT ?
          """)
      let rows = try Row.fetchCursor(
        statement, arguments: [date.timeIntervalSinceReferenceDate, Int64.min, limit])
      return try Array(
        rows.map { row in
          let title: String = row[1]
          return title.isEmpty ? 0 : row[0]
        })
    }
  }

  /// The ids of the newest posts whose title or body has a text, ignoring the case of ASCII.
  func search(like word: String, limit: Int) throws -> [Int64] {
    try pool.read { db in
      let statement = try db.cachedStatement(
        sql: "SELECT id FROM post WHERE title LIKE ?1 OR body LIKE ?1 ORDER BY created DESC, id DESC LIMIT ?2")
      return try Int64.fetchAll(statement, arguments: ["%\(word)%", limit])
    }
  }

  /// The same by the index of words, which finds whole words only.
  func search(word: String, limit: Int) throws -> [Int64] {
    try pool.read { db in
      let statement = try db.cachedStatement(
        sql: """
          SELECT post.id FROM postText JOIN post ON post.id = postText.rowid
          WHERE postText MATCH ? ORDER BY created DESC, post.id DESC LIMIT ?
          """)
      return try Int64.fetchAll(statement, arguments: [word, limit])
    }
  }

  /// Changes one post, in a transaction of its own.
  func change(_ id: Int64, _ change: (title: String, blogName: String, modified: Date)) throws {
    try pool.write { db in
      try db.cachedStatement(sql: "UPDATE post SET title = ?, blogName = ?, modified = ? WHERE id = ?").execute(
        arguments: [change.title, change.blogName, change.modified.timeIntervalSinceReferenceDate, id])
    }
  }

  private static func post(_ row: Row) -> ScalePost {
    let published: Double? = row[12]
    return ScalePost(
      id: row[0], blogName: row[1], title: row[2], body: row[3], link: row[4], tags: [], isDraft: row[5],
      isRead: row[6], likes: row[7], score: row[8], position: row[9],
      created: Date(timeIntervalSinceReferenceDate: row[10]), modified: Date(timeIntervalSinceReferenceDate: row[11]),
      published: published.map { Date(timeIntervalSinceReferenceDate: $0) })
  }
}
