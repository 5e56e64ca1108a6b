import Foundation
import SnapshotStore

/// A record as most programs declare it: 14 properties, `Codable` by the compiler, with three indexes. It takes about
/// 650 bytes of JSON.
struct ScalePost: Record {
  let id: Int64
  var blogName: String
  var title: String
  var body: String
  var link: String?
  var tags: [String]
  var isDraft: Bool
  var isRead: Bool
  var likes: Int
  var score: Double
  var position: Double?
  var created: Date
  var modified: Date
  var published: Date?

  static let byCreated = Index<ScalePost, Date>("created") { $0.created }
  static let byBlog = Index<ScalePost, String>("blog") { $0.blogName }
  static let byTag = Index<ScalePost, String>("tag", each: { $0.tags })
  static let indexes = Indexes(byCreated, byBlog, byTag)
}

/// A model of such records.
struct ScaleBlogs: Model {
  var posts = Table<ScalePost>()

  static let schema = Schema<ScaleBlogs>("blogs", version: 1, Field("posts", \.posts))
}

/// The posts of one size, the same ones for the same number, and what is done with them.
struct ScalePosts {
  /// A word that twenty posts have, and no more in a larger store.
  static let rareWord = "xylograph"

  let count: Int
  /// The number of the round. Each makes other changes, since a change to what is there already costs nothing.
  let round: Int

  /// All posts, in order of their ids.
  func all() -> [ScalePost] {
    var random = SplitMix64(seed: UInt64(count))
    let step = max(1, count / 20)
    return (0..<count).map { number in post(number, hasRareWord: number % step == step / 2, &random) }
  }

  /// Ids of posts in random order, the same for the same purpose.
  func ids(_ number: Int, purpose: UInt64) -> [Int64] {
    var random = SplitMix64(seed: purpose &* 1_000_003)
    return (0..<number).map { _ in Self.id(Int.random(in: 0..<count, using: &random)) }
  }

  /// A date in the middle of those of the posts, where a page of a list begins.
  static let middle = Date(timeIntervalSinceReferenceDate: 600_000_000)

  /// The change of a transaction: the title, the blog and thus an entry of an index, and the date of modification.
  func change(_ number: Int) -> (title: String, blogName: String, modified: Date) {
    (
      "A new title, number \(round).\(number)", "blog \((number + round) % 500)",
      Date(timeIntervalSinceReferenceDate: 800_000_000.25 + Double(round))
    )
  }

  private static func id(_ number: Int) -> Int64 { Int64(number) * 7 + 1_000 }

  private func post(_ number: Int, hasRareWord: Bool, _ random: inout SplitMix64) -> ScalePost {
    let created = Double.random(in: 400_000_000...780_000_000, using: &random)
    return ScalePost(
      id: Self.id(number), blogName: "blog \(Int.random(in: 0..<500, using: &random))",
      title: (0..<4).map { _ in random.pick(Words.plain) }.joined(separator: " "),
      body: random.text(bytes: 150...400) + (hasRareWord ? Self.rareWord : ""),
      link: random.chance(50) ? "https://example.com/posts/\(random.next() % 1_000_000_000)" : nil,
      tags: (0..<Int.random(in: 0...3, using: &random)).map { _ in random.pick(Words.plain) },
      isDraft: random.chance(10), isRead: random.chance(70), likes: Int.random(in: 0...5_000, using: &random),
      score: Double.random(in: 0...1, using: &random),
      position: random.chance(30) ? Double.random(in: 0...100, using: &random) : nil,
      created: Date(timeIntervalSinceReferenceDate: created),
      modified: Date(timeIntervalSinceReferenceDate: created + 10_000),
      published: random.chance(80) ? Date(timeIntervalSinceReferenceDate: created + 5_000) : nil)
  }
}
