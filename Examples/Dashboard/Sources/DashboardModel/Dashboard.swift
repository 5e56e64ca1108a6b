package import SnapshotStore

/// A post of some blog.
package struct Post: Record {
  package let id: String
  package var blogName: String
  package var body: String
  package var tags: [String]
  /// A property of ours that the feed does not have.
  package var isRead = false

  package static let byTag = Index("tag", each: \Post.tags)
  package static let indexes = Indexes(byTag)
}

/// The posts of all blogs that a user follows.
package struct Dashboard: Model {
  package var posts = Table<Post>()

  package init() {}

  package static let schema = Schema("dashboard", version: 1, Field("posts", \Dashboard.posts))
}

extension Dashboard {
  /// Takes over the present feed: all posts are deleted, and those of the feed inserted. No reader sees a state in
  /// between, and an unchanged post is no change.
  package mutating func refresh(from feed: Feed) throws {
    let old = posts
    posts = try Table(
      feed.posts.map { post in
        Post(
          id: post.id, blogName: post.blogName, body: post.body, tags: post.tags, isRead: old[post.id]?.isRead ?? false)
      })
  }

  /// Marks every post as read: one call, one transaction, one change set.
  package mutating func markAllRead() throws -> Int {
    try posts.update(where: { !$0.isRead }) { $0.isRead = true }.count
  }
}
