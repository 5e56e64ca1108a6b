import DashboardModel
import Foundation
import SnapshotStore

/// A dashboard of posts that is refreshed from JSON, while a list follows it.
@main
enum DashboardExample {
  static func main() async throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "dashboard-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: url) }
    let store = try Store<Dashboard>.open(at: url, options: StoreOptions(policy: .manual))
    var screen = Screen(following: store)
    await screen.update()

    print("The first refresh")
    try await refresh(store, from: try Feed.json(0..<10_000))
    await screen.update()

    print("Marked \(try store.write { try $0.markAllRead() }) posts as read")
    await screen.update()

    print("A refresh in which 20 posts are gone, 30 are new, and 50 were edited")
    try await refresh(store, from: try Feed.json(20..<10_030, edited: Set(5_000..<5_050)))
    await screen.update()

    print("A refresh in which nothing is new, of which the list hears nothing, and then one post is deleted")
    try await refresh(store, from: try Feed.json(20..<10_030, edited: Set(5_000..<5_050)))
    try store.write { $0.posts.remove("post-20") }
    await screen.update()

    let unread = store.read { $0.posts.count { !$0.isRead } }
    let paris = store.read { $0.posts.count(in: Post.byTag, at: "paris") }
    print("\(unread) posts are unread, \(paris) are about Paris")
    try await store.close()
    let saved: Dashboard = try SnapshotFile.read(at: url)
    print("\(saved.posts.count) posts are in the file")
  }

  /// Decodes and writes in the background. Readers do not wait for it.
  static func refresh(_ store: Store<Dashboard>, from json: Data) async throws {
    let feed = try Feed(json: json)
    try await store.performBackground { try $0.refresh(from: feed) }
  }
}

/// Stands for a list on a screen, with a section for each blog. A live query delivers only real differences.
struct Screen {
  private var updates: LiveList<Post, String>.Updates.Iterator

  init(following store: Store<Dashboard>) {
    updates = store.observe(\.posts, sortedBy: { $0.id }, sectionedBy: { $0.blogName }).makeAsyncIterator()
  }

  /// Waits for the next batch, or for the first list.
  mutating func update() async {
    guard let update = await updates.next() else { return }
    guard let batch = update.batch else { return print("  the list: \(update.list.count) posts at first") }
    let counts = "\(batch.inserts.count) new, \(batch.deletes.count) gone, \(batch.updates.count) changed"
    let sections = update.list.sections.map { "\($0.key) \($0.range.count)" }.joined(separator: ", ")
    print("  the list: \(counts) (\(sections))")
  }
}
