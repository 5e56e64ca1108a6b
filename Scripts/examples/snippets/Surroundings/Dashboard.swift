import Foundation
import SnapshotStore

/// A record with a property of every kind that the examples use.
package struct Post: Record {
  package let id: String
  package var title: String
  package var body: String
  package var blogName: String
  package var tags: [String]
  package var date: Date
  package var isRead = false

  package init(
    id: String, title: String, body: String = "", blogName: String = "b", tags: [String] = [],
    date: Date = Date(timeIntervalSince1970: 0)
  ) {
    (self.id, self.title, self.body, self.blogName, self.tags, self.date) = (id, title, body, blogName, tags, date)
  }

  package static let byTag = Index("tag", each: \Post.tags)
  package static let byDate = Index("date", key: \Post.date)
  package static let indexes = Indexes(byTag, byDate)
}

package struct Dashboard: Model {
  package var posts = Table<Post>()

  package init() {}

  package static let schema = Schema("dashboard", version: 1, Field("posts", \Dashboard.posts))
}

/// Three posts: two about pencils, one about a walk, in the order of their dates.
package func somePosts() -> [Post] {
  [
    Post(id: "1", title: "Pencils", body: "On drawing with a pencil", tags: ["art"]),
    Post(id: "2", title: "A walk", body: "By the river", tags: ["paris"], date: Date(timeIntervalSince1970: 1)),
    Post(
      id: "3", title: "Drawing", body: "One pencil is enough", tags: ["art", "paris"],
      date: Date(timeIntervalSince1970: 2)),
  ]
}

/// A store in memory with those posts.
package func dashboard() throws -> Store<Dashboard> {
  let store = Store(Dashboard())
  try store.write { try $0.posts.upsert(contentsOf: somePosts()) }
  return store
}
