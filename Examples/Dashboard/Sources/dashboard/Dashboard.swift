import SnapshotStore

/// A post of some blog.
struct Post: Record {
  let id: String
  var blogName: String
  var body: String
  var tags: [String]
  /// A property of ours that the feed does not have.
  var isRead = false

  static let byTag = Index<Post, String>("tag", each: { $0.tags })
  static let indexes: [any RecordIndex<Post>] = [byTag]
}

/// The posts of all blogs that a user follows.
struct Dashboard: Model {
  var posts = Table<Post>()

  static let schema = Schema<Dashboard>(name: "dashboard", version: 1) {
    Field("posts", \.posts)
  }
}

extension Dashboard {
  /// Takes over the present feed: all posts are deleted, and those of the feed inserted. No reader sees a state in
  /// between, and an unchanged post is no change.
  mutating func refresh(from feed: Feed) throws {
    let old = posts
    posts = try Table(
      feed.posts.map { post in
        Post(
          id: post.id, blogName: post.blogName, body: post.body, tags: post.tags, isRead: old[post.id]?.isRead ?? false)
      })
  }

  /// Marks every post as read: one call, one transaction, one change set.
  mutating func markAllRead() throws -> Int {
    try posts.update(where: { !$0.isRead }) { $0.isRead = true }.count
  }
}
