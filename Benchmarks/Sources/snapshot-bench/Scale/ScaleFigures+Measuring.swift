import Foundation

/// The operations that both sides do in the same way.
extension ScaleFigures {
  /// The mean of lookups by random ids, and of pages of a sorted list from the middle.
  mutating func measureReads(
    _ posts: ScalePosts, lookup: (Int64) throws -> Int?, page: (Date, Int) throws -> [Int64]
  ) throws {
    var length = 0
    // The first lookups fill the caches of the processor and of the database.
    for id in posts.ids(100, purpose: 2) { length += try lookup(id) ?? 0 }
    let ids = posts.ids(ScaleStep.lookups, purpose: 3)
    add("lookup", try seconds { for id in ids { length += try lookup(id) ?? 0 } } / Double(ids.count))
    add(result: length, "bytes of the texts found")
    var rows = try page(ScalePosts.middle, 50)
    let repeats = 50
    add(
      "page",
      try seconds {
        for number in 0..<repeats { rows = try page(ScalePosts.middle.addingTimeInterval(-Double(number)), 50) }
      } / Double(repeats))
    add(result: rows, "ids of a page")
  }

  /// The second of two searches, so that the pages of the database are in memory.
  mutating func measureSearch(_ name: String, _ search: () throws -> [Int64]) throws {
    var found = try search()
    add(name, try seconds { found = try search() })
    add(result: found, "ids of the posts found")
  }

  /// The mean of transactions that change one random post each.
  mutating func measureTransactions(
    _ name: String, _ posts: ScalePosts, _ change: (_ id: Int64, _ number: Int) throws -> Void
  ) throws {
    let ids = posts.ids(ScaleStep.transactions + 1, purpose: 4)
    try change(ids[0], 0)
    let total = try seconds { for number in 1..<ids.count { try change(ids[number], number) } }
    add(name, total / Double(ScaleStep.transactions))
  }

  /// The median of transactions that change one random post each, and return when the change would survive a power cut.
  /// Also the bytes that each of them writes, with what closing adds.
  mutating func measureDurableTransactions(
    _ name: String, _ posts: ScalePosts, count: Int, _ change: (_ id: Int64, _ number: Int) throws -> Void,
    close: () throws -> Void
  ) throws {
    let ids = posts.ids(count, purpose: 5)
    let before = try ProcessUsage.writtenBytes()
    let times = try ids.indices.map { number in try seconds { try change(ids[number], number) } }
    add(name, times.median)
    try close()
    add("writtenBytes", Double(try ProcessUsage.writtenBytes() - before) / Double(count))
  }
}
