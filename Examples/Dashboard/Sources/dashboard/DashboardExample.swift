import Foundation
import SnapshotStore

/// A dashboard of posts that is refreshed from JSON, while a list follows it.
@main
enum DashboardExample {
  static func main() async throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "dashboard-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: url) }
    let store = try Store<Dashboard>.open(at: url, options: StoreOptions(policy: .manual))
    var list = List(following: store)

    print("The first refresh")
    try await refresh(store, from: try Feed.json(0..<10_000))
    await list.update()

    print("Marked \(try store.write { try $0.markAllRead() }) posts as read")
    await list.update()

    print("A refresh in which 20 posts are gone, 30 are new, and 50 were edited")
    try await refresh(store, from: try Feed.json(20..<10_030, edited: Set(5_000..<5_050)))
    await list.update()

    print("A refresh in which nothing is new")
    try await refresh(store, from: try Feed.json(20..<10_030, edited: Set(5_000..<5_050)))
    try store.write { $0.posts.remove("post-20") }
    await list.update()

    let unread = store.read { $0.posts.count { !$0.isRead } }
    let paris = store.read { $0.posts.count(in: Post.byTag, at: "paris") }
    print("\(unread) posts are unread, \(paris) are about Paris")
    try await store.close()
    let saved: Dashboard = try SnapshotFile.read(at: url)
    print("\(saved.posts.count) posts are in the file")
  }

  /// Decodes and writes in the background: whoever reads meanwhile reads on.
  static func refresh(_ store: Store<Dashboard>, from json: Data) async throws {
    try await Task.detached {
      let feed = try Feed(json: json)
      try store.write { try $0.refresh(from: feed) }
    }.value
  }
}

/// Stands for a list on a screen: it hears of what really differs, and of nothing else.
struct List {
  private var changes: AsyncStream<ChangeSet<Dashboard>>.Iterator

  init(following store: Store<Dashboard>) { changes = store.changes.makeAsyncIterator() }

  /// Waits for the next change set in which a post differs.
  mutating func update() async {
    while let changeSet = await changes.next() {
      let posts = changeSet.changes(in: \.posts)
      if posts.isEmpty { continue }
      let inserted = posts.count { $0.before == nil }
      let removed = posts.count { $0.after == nil }
      print("  the list: \(inserted) new, \(removed) gone, \(posts.count - inserted - removed) changed")
      return
    }
  }
}
