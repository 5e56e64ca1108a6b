import Foundation
import GRDB
import SnapshotStore

/// Large changes at once: a refresh with few new records, and an import of ten times as many records as there are
/// notes.
func changeRows() -> [BenchmarkRow] {
  [
    BenchmarkRow(
      "refresh-10k.vs-grdb", "Replacing 10,000 posts by a list of which 1 % differ, and finding these.",
      unit: .milliseconds, peer: "GRDB, DELETE and INSERT of all, compared before", target: nil
    ) { work, rounds in
      try refresh(count: min(10_000, work.count), work, rounds)
    },
    BenchmarkRow(
      "import-10x.vs-table", "Importing 1,000,000 posts in batches (ten times the number of notes).",
      unit: .milliseconds,
      peer: "a table made of an array", target: nil, mostRounds: 3
    ) { work, rounds in
      let count = work.count * 10
      return try alternating(rounds: rounds) {
        let store = Store<Posts>()
        let (imported, seconds) = try timed { try store.importRecords(Post.all(count), into: \.posts) }
        try requireEqual(imported, store.read { $0.posts.count }, "posts")
        return seconds
      } peer: {
        let (table, seconds) = try timed { try Table(Array(Post.all(count))) }
        try requireEqual(count, table.count, "posts")
        return seconds
      }
    },
    BenchmarkRow(
      "import-10x.peak-memory", "The most memory that such an import takes, each side in a process of its own.",
      unit: .megabytes, peer: "[Post]", target: nil, mostRounds: 1
    ) { work, _ in
      let count = work.count * 10
      return Measurement(
        ours: try PeakMemoryProbe.measure(.imported, count), peer: try PeakMemoryProbe.measure(.array, count))
    },
  ]
}

/// A post of some blog.
private struct Post: SnapshotStore.Record {
  let id: Int
  var blogName: String
  var body: String
  var tags: [String]

  init(_ id: Int, edited: Bool = false) {
    self.id = id
    blogName = "blog \(id % 500)"
    body = "Post number \(id), with a body of some length, as posts have one" + (edited ? ", corrected" : "")
    tags = id.isMultiple(of: 10) ? ["paris"] : []
  }

  /// Posts that are made one by one.
  static func all(_ count: Int) -> some Sequence<Post> { (0..<count).lazy.map { Post($0) } }
}

private struct Posts: Model {
  var posts = Table<Post>()
  static let schema = Schema<Posts>("posts", version: 1, Field("posts", \.posts))
}

/// Both sides switch between two lists, and must find the same number of differences each time.
private func refresh(count: Int, _ work: Workload, _ rounds: Int) throws -> Measurement {
  let old = Array(Post.all(count))
  let new = (0..<count).map { Post($0, edited: $0.isMultiple(of: 100)) }
  let store = Store<Posts>()
  try store.importRecords(old, into: \.posts)
  let database = try PostDatabase(at: work.folder.appendingPathComponent("posts.sqlite"))
  _ = try database.refresh(old)
  var (ourTurn, peerTurn) = (0, 0)
  return try alternating(rounds: rounds) {
    ourTurn += 1
    let list = ourTurn.isMultiple(of: 2) ? old : new
    let (changes, seconds) = try timed {
      let before = store.snapshot().value
      try store.write { $0.posts = try Table(list) }
      return store.read { $0.posts.changes(from: before.posts) }
    }
    try requireEqual(changes.count, (count + 99) / 100, "posts that differ")
    return seconds
  } peer: {
    peerTurn += 1
    let list = peerTurn.isMultiple(of: 2) ? old : new
    let (changes, seconds) = try timed { try database.refresh(list) }
    try requireEqual((count + 99) / 100, changes, "posts that differ")
    return seconds
  }
}

private struct PostDatabase {
  let pool: DatabasePool

  init(at url: URL) throws {
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
    pool = try DatabasePool(path: url.path, configuration: configuration)
    try pool.write { db in
      try db.execute(sql: "CREATE TABLE post (id INTEGER PRIMARY KEY, blogName TEXT, body TEXT, tags TEXT)")
    }
  }

  /// Deletes all, inserts all, and returns the number of differences.
  func refresh(_ posts: [Post]) throws -> Int {
    try pool.write { db in
      var bodies: [Int: String] = [:]
      let rows = try Row.fetchCursor(try db.cachedStatement(sql: "SELECT id, body FROM post"))
      while let row = try rows.next() { bodies[row[0]] = row[1] }
      try db.execute(sql: "DELETE FROM post")
      let insert = try db.cachedStatement(sql: "INSERT INTO post VALUES (?, ?, ?, ?)")
      for post in posts {
        try insert.execute(arguments: [post.id, post.blogName, post.body, post.tags.joined(separator: " ")])
      }
      return posts.count { bodies[$0.id] != $0.body }
    }
  }
}

/// Measures the peak memory of a subject in a child process.
enum PeakMemoryProbe {
  enum Subject: String {
    /// An import of posts that are made one by one.
    case imported
    /// An array of them.
    case array
  }

  private static let flag = "--measure-peak-memory"

  /// The greatest number of resident bytes, beyond those at the beginning.
  static func measure(_ subject: Subject, _ count: Int) throws -> Double {
    let text = try ChildProcess.output(
      [flag, subject.rawValue, "\(count)"], purpose: "the peak memory of \(subject)")
    guard let bytes = Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw BenchmarkFailure("the process that measures the peak memory of \(subject) printed something else")
    }
    return bytes
  }

  /// In the child: measures, prints, and returns true.
  static func runIfAsked(_ arguments: [String]) throws -> Bool {
    guard arguments.count == 4, arguments[1] == flag, let subject = Subject(rawValue: arguments[2]),
      let count = Int(arguments[3])
    else { return false }
    let before = try ProcessUsage.peakMemory()
    switch subject {
    case .imported:
      let store = Store<Posts>()
      try store.importRecords(Post.all(count), into: \.posts)
      print(try ProcessUsage.peakMemory() - before)
      try requireEqual(store.read { $0.posts.count }, count, "posts")
    case .array:
      let posts = Array(Post.all(count))
      print(try ProcessUsage.peakMemory() - before)
      try requireEqual(posts.count, count, "posts")
    }
    return true
  }
}
