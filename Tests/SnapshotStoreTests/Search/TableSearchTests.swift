import Testing

@testable import SnapshotStore
@testable import TestSupport

/// A record with texts of every kind that a search takes.
struct Article: Record {
  let id: Int
  var title = ""
  var subtitle: String?
  var tags: [String] = []
  var date: Double?

  static let byDate = Index<Article, Double>("date") { $0.date }
  static let byTag = Index<Article, String>("tag", each: { $0.tags })
  static let indexes = Indexes(byDate, byTag)

  static let texts: [SearchQuery.Property<Article>] = [\.title, \.subtitle, \.tags]

  private static let words = [
    "umbrella", "Café", "STRASSE", "straße", "red", "İstanbul", "日本語", "Привет", "naïve", "e\u{301}toile", "👩‍👩‍👧",
  ]

  init(id: Int, title: String = "", subtitle: String? = nil, tags: [String] = [], date: Double? = nil) {
    self.id = id
    self.title = title
    self.subtitle = subtitle
    self.tags = tags
    self.date = date
  }

  init(id: Int, using random: inout SeededGenerator) {
    func text(_ limit: Int) -> String {
      (0..<Int.random(in: 0...limit, using: &random)).map { _ in Self.words.randomElement(using: &random) ?? "" }
        .joined(separator: " ")
    }
    self.id = id
    title = text(2)
    subtitle = Bool.random(using: &random) ? text(2) : nil
    tags = (0..<Int.random(in: 0...3, using: &random)).map { _ in Self.words.randomElement(using: &random) ?? "" }
    date = [nil, .nan, -0.0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9].randomElement(using: &random) ?? nil
  }
}

/// The records that a search of a table finds, compared with a plain filter.
struct TableSearchTests {
  /// Whether each word occurs in one of the texts.
  private static func isMatch(_ page: Article, _ query: String) -> Bool {
    let texts = [page.title, page.subtitle ?? ""] + page.tags
    return query.split(separator: " ").allSatisfy { word in
      texts.contains { SearchQuery(String(word)).matches($0) }
    }
  }

  private static let queries = [
    "umb", "cafe", "strasse", "red umbrella", "naive red cafe", "etoile", "istanbul", "本", "👩", "", "nowhere",
    "ПРИ red",
  ]

  @Test(arguments: SeededGenerator.seeds(4)) func inTheOrderOfIDs(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let pages = try Table((0..<1_100).map { Article(id: $0, using: &random) })
    for query in Self.queries.shuffled(using: &random).prefix(3) {
      let matches = pages.filter { $0.id % 7 != 3 && Self.isMatch($0, query) }.map(\.id)
      for order in [RecordOrder.ascending, .descending] {
        let model = order == .ascending ? matches : matches.reversed()
        func found(after id: Int? = nil, limit: Int) -> [Int] {
          pages.search(
            in: Article.texts, for: SearchQuery(query), where: { $0.id % 7 != 3 }, order: order, after: id, limit: limit
          ).map(\.id)
        }
        #expect(found(limit: .max) == model, "\(query), seed \(seed)")
        for limit in [-1, 0, 1, 20] {
          #expect(found(limit: limit) == Array(model.prefix(max(0, limit))), "seed \(seed)")
        }
        // After a record that need not exist.
        let start = Int.random(in: -10...1_110, using: &random)
        let rest = model.filter { order == .ascending ? $0 > start : $0 < start }
        #expect(found(after: start, limit: .max) == rest, "\(query) after \(start), seed \(seed)")
        #expect(found(after: start, limit: 9) == Array(rest.prefix(9)), "\(query) after \(start), seed \(seed)")
      }
    }
  }

  @Test(arguments: SeededGenerator.seeds(4)) func inTheOrderOfAnIndex(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let pages = try Table((0..<1_100).map { Article(id: $0, using: &random) })
    for query in Self.queries.shuffled(using: &random).prefix(3) {
      let dated = pages.filter { $0.date != nil && $0.date == $0.date && Self.isMatch($0, query) }
      for order in [RecordOrder.ascending, .descending] {
        let byDate = dated.map { IndexPosition(key: $0.date ?? 0, id: $0.id) }.sorted()
        let model = order == .ascending ? byDate : byDate.reversed()
        for limit in [7, .max] {
          let rows = pages.search(
            in: Article.texts, for: SearchQuery(query), by: Article.byDate, order: order, limit: limit)
          #expect(rows.map(\.position) == Array(model.prefix(limit)), "\(query), seed \(seed)")
          #expect(rows.allSatisfy { $0.record == pages[$0.record.id] })
        }
        // Article by page.
        var found: [IndexPosition<Double, Int>] = []
        while case let page = pages.search(
          in: Article.texts, for: SearchQuery(query), by: Article.byDate, order: order, after: found.last,
          limit: 210),
          !page.isEmpty
        {
          found += page.map(\.position)
        }
        #expect(found == model, "\(query), seed \(seed)")
      }
    }
  }

  /// A record with several keys is found once, at its first key.
  @Test(arguments: SeededGenerator.seeds(4)) func inTheOrderOfAnIndexOfSeveralKeys(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let pages = try Table((0..<1_100).map { Article(id: $0, using: &random) })
    let matches = pages.filter { Self.isMatch($0, "red") }
    for order in [RecordOrder.ascending, .descending] {
      let places = matches.compactMap { page in
        (order == .ascending ? page.tags.min() : page.tags.max()).map { IndexPosition(key: $0, id: page.id) }
      }.sorted()
      let rows = pages.search(in: Article.texts, for: "red", by: Article.byTag, order: order)
      #expect(rows.map(\.position) == (order == .ascending ? places : places.reversed()), "seed \(seed)")
    }
  }

  @Test func eachWordMayBeInAnotherProperty() throws {
    let pages = try Table([
      Article(id: 1, title: "A red", subtitle: "umbrella"), Article(id: 2, title: "umb", subtitle: "rella red"),
      Article(id: 3, tags: ["umbrella", "red"]), Article(id: 4, title: "red"), Article(id: 5, title: "Red umbrella"),
    ])
    func found(_ properties: [SearchQuery.Property<Article>], _ query: SearchQuery) -> [Int] {
      pages.search(in: properties, for: query).map(\.id)
    }
    #expect(found(Article.texts, "RED umbrella") == [1, 3, 5])
    #expect(found([\.title], "red umbrella") == [5] && found([\.tags], "red umbrella") == [3])
    #expect(found([\.subtitle, \.title], "red umbrella") == [1, 5])
    // Functions, and no property at all.
    #expect(found([{ $0.title + $0.tags.joined() }], "umbrellared") == [3])
    #expect(found([], "red") == [] && found([], "") == [1, 2, 3, 4, 5])
  }

  /// Letters that a search compares in another form than they are written.
  @Test func unicode() throws {
    each([
      ("cafe", "CAFE\u{301}"), ("café", "cafe\u{301}"), ("cafe\u{301}", "café"), ("strasse", "Straße"),
      ("STRASSE", "ẞtraße strasse"), ("istanbul", "İstanbul"), ("ISTANBUL", "ıstanbul"), ("👩", "👩‍👩‍👧"),
      ("👩‍👩‍👧", "👩‍👩‍👧"), ("ﬁsh", "FISH"), ("が", "か\u{3099}"), ("한", "\u{1112}\u{1161}\u{11AB}"),
    ]) { (query: String, text: String) throws in
      let pages = try Table([Article(id: 1, title: text), Article(id: 2, title: "other"), Article(id: 3)])
      #expect(pages.search(in: [\.title], for: SearchQuery(query)).map(\.id) == [1])
      #expect(SearchQuery(query).ranges(in: text) != [])
    }
  }

  /// Records that are changed between two pages neither repeat nor hide others.
  @Test(arguments: SeededGenerator.seeds(2)) func changesBetweenPages(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var pages = try Table((0..<1_200).map { Article(id: $0, title: "red \($0)", date: Double($0 % 40)) })
    let before = pages.search(in: [\.title], for: "red", by: Article.byDate, order: .descending).map(\.position)
    var found: [IndexPosition<Double, Int>] = []
    var removed: Set<Int> = []
    while case let page = pages.search(
      in: [\.title], for: "red", by: Article.byDate, order: .descending, after: found.last, limit: 200),
      let last = page.last
    {
      found += page.map(\.position)
      pages.remove(last.record.id)
      let other = Int.random(in: 0..<1_200, using: &random)
      pages.remove(other)
      if !found.contains(where: { $0.id == other }) { removed.insert(other) }
      try pages.upsert(Article(id: 2_000 + found.count, title: "red", date: 100))
    }
    #expect(found == before.filter { !removed.contains($0.id) }, "seed \(seed)")
  }
}
