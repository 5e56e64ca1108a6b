import Foundation

@testable import SnapshotStore
@testable import TestSupport

/// A record with a date of change.
struct PressArticle: Record {
  let id: Int
  var text = ""
  var changed: Date? = .day(1)

  static let mergeRules: [MergeRule] = [.modified("changed")]
}

/// A record without one.
struct PressLabel: Record {
  let id: String
  var name = ""
}

/// Two tables that remember their removed records, with a clock that stands still.
struct Press: Model {
  var articles = Table<PressArticle>()
  var deletedArticles = Table<Tombstone<PressArticle>>()
  var labels = Table<PressLabel>()
  var deletedLabels = Table<Tombstone<PressLabel>>()
  /// The clock. It is not saved.
  @Transient var now = Date.day(10)

  static let schema = Schema<Press>(
    "press", version: 1,
    Field("articles", \.articles),
    Field("deletedArticles", \.deletedArticles),
    Field("labels", \.labels),
    Field("deletedLabels", \.deletedLabels),
    rules: [
      // A label does not outlive the last article.
      Rule("labels", on: \.articles) { _, press in if press.articles.isEmpty { press.labels.remove(["doomed"]) } }
    ],
    tombstones: [
      Tombstones(of: \.articles, in: \.deletedArticles) { $0.now },
      Tombstones(of: \.labels, in: \.deletedLabels) { $0.now },
    ])

  /// Some articles, and no tombstones.
  init(articles: [PressArticle]) throws { try self.articles.upsert(contentsOf: articles) }

  init() {}

  /// The tombstones of the articles, with the days of January 2020.
  var deletions: [Int: Date?] {
    Dictionary(uniqueKeysWithValues: deletedArticles.map { ($0.id, $0.deletionDate) })
  }
}
