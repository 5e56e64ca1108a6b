import Foundation
import SnapshotStore

extension ScaleStep {
  /// Does the step in this process.
  func run(_ posts: ScalePosts, _ files: ScaleFiles) throws -> ScaleFigures {
    switch self {
    case .make: try make(posts, files)
    case .store: try useStore(posts, files)
    case .database: try useDatabase(posts, files)
    }
  }

  private func make(_ posts: ScalePosts, _ files: ScaleFiles) throws -> ScaleFigures {
    let all = posts.all()
    try SnapshotFile.create(ScaleBlogs(posts: Table(all)), as: .json, at: files.store)
    try ScaleDatabase.create(at: files.database, with: all)
    try FileManager.default.copyItem(at: files.database, to: files.wordsDatabase)
    try ScaleDatabase.addWords(at: files.wordsDatabase)
    return ScaleFigures()
  }

  private func useStore(_ posts: ScalePosts, _ files: ScaleFiles) throws -> ScaleFigures {
    var figures = ScaleFigures()
    // Any size can be measured, also beyond the default limit of 2 GiB.
    let options = StoreOptions(policy: .manual, limits: ReadLimits(fileSize: .max))
    let (store, opening) = try timed { try Store<ScaleBlogs>.open(at: files.store, options: options) }
    figures.add("open", opening)
    figures.add("residentBytes", Double(try ProcessUsage.residentMemory()))
    figures.add("openPeakBytes", Double(try ProcessUsage.peakMemory()))
    figures.add(result: store.read { $0.posts.count }, "count")
    try figures.measureReads(
      posts,
      lookup: { id in store.read { $0.posts[id]?.body.utf8.count } },
      page: { date, limit in
        store.read { root in
          root.posts.page(
            in: ScalePost.byCreated, order: .descending, after: IndexPosition(key: date, id: .min), limit: limit
          ).map { $0.record.title.isEmpty ? 0 : $0.record.id }
        }
      })
    try figures.measureSearch("search") {
      store.read { root in
        root.posts.search(
          in: [\.title, \.body], for: SearchQuery(ScalePosts.rareWord), by: ScalePost.byCreated, order: .descending,
          limit: 50
        ).map(\.record.id)
      }
    }
    let change = { (id: Int64, number: Int) in
      try store.write { root in
        _ = try root.posts.update(id) { post in
          (post.title, post.blogName, post.modified) = posts.change(number)
        }
      }
    }
    try figures.measureTransactions("write", posts, change)
    // The first save encodes everything, the others the changed leaves.
    figures.add("firstSave", try seconds { try store.flushAndWait() })
    try figures.measureDurableTransactions("save", posts, count: ScaleStep.saves) { id, number in
      try change(id, number)
      try store.flushAndWait()
    } close: {
      try requireEqual(store.status.saves, 1 + ScaleStep.saves, "saves")
      try store.closeAndWait()
    }
    figures.add("peakBytes", Double(try ProcessUsage.peakMemory()))
    return figures
  }

  private func useDatabase(_ posts: ScalePosts, _ files: ScaleFiles) throws -> ScaleFigures {
    var figures = ScaleFigures()
    let first = posts.ids(1, purpose: 1)[0]
    let (database, opening) = try timed {
      let database = try ScaleDatabase(at: files.database)
      guard try database.post(first) != nil else { throw BenchmarkFailure("post \(first) is missing") }
      return database
    }
    figures.add("open", opening)
    figures.add("residentBytes", Double(try ProcessUsage.residentMemory()))
    let count = try database.pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM post") } ?? 0
    figures.add(result: count, "count")
    try figures.measureReads(
      posts, lookup: { try database.post($0)?.body.utf8.count },
      page: { try database.page(before: $0, limit: $1) })
    try figures.measureSearch("search") { try database.search(like: ScalePosts.rareWord, limit: 50) }
    try figures.measureTransactions("write", posts) { try database.change($0, posts.change($1)) }
    try database.close()
    let durable = try ScaleDatabase(at: files.database, isDurable: true)
    try figures.measureDurableTransactions("save", posts, count: ScaleStep.durableTransactions) {
      try durable.change($0, posts.change($1))
    } close: {
      try durable.close()
    }
    let words = try ScaleDatabase(at: files.wordsDatabase)
    try figures.measureSearch("wordSearch") { try words.search(word: ScalePosts.rareWord, limit: 50) }
    try figures.measureTransactions("wordsWrite", posts) { try words.change($0, posts.change($1)) }
    try words.close()
    figures.add("peakBytes", Double(try ProcessUsage.peakMemory()))
    return figures
  }
}
