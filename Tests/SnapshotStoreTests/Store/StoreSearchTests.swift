import Synchronization
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// The search in the latest value of a store.
struct StoreSearchTests {
  private struct Library: Model {
    var pages = Table<Article>()
    static let schema = Schema<Library>("library", version: 1, Field("pages", \.pages))
  }

  private static func store(_ count: Int) throws -> Store<Library> {
    let store = Store<Library>()
    try store.write { library in
      for id in 0..<count {
        try library.pages.insert(Article(id: id, title: "page \(id)", subtitle: "red", date: Double(count - id)))
      }
    }
    return store
  }

  @Test func itFindsWhatTheTableFinds() async throws {
    let store = try Self.store(30)
    let found = try await store.search(
      \.pages, in: [\.title, \.subtitle], for: "red page 2", order: .descending, limit: 5)
    #expect(found.map(\.id) == [29, 28, 27, 26, 25])
    let rows = try await store.search(
      \.pages, in: [\.title, \.subtitle], for: "red 2", where: { $0.id > 2 }, by: Article.byDate, order: .descending,
      limit: 3)
    #expect(rows.map(\.record.id) == [12, 20, 21])
    let next = try await store.search(
      \.pages, in: [\.title], for: "2", by: Article.byDate, order: .descending, after: rows.last?.position, limit: 2)
    #expect(next.map(\.record.id) == [22, 23])
    #expect(store.read { $0.allViolations() } == [])
  }

  /// A list that follows a store takes a query as its condition.
  @Test func aLiveListOfASearch() async throws {
    let store = try Self.store(5)
    let query = SearchQuery("RED 3")
    let updates = store.observe(\.pages, where: { query.matches([$0.title, $0.subtitle ?? ""]) }, sortedBy: \.id)
    var iterator = updates.makeAsyncIterator()
    #expect(await iterator.next()?.list.map(\.id) == [3])
    try store.write { try $0.pages.insert(Article(id: 30, title: "3", tags: ["red"])) }
    try store.write { try $0.pages.insert(Article(id: 31, title: "3", subtitle: "a réd one")) }
    #expect(await iterator.next()?.list.map(\.id) == [3, 31])
    #expect(store.read { $0.allViolations() } == [])
  }

  /// A search is cancelled in the middle, among the first records or among the others.
  @Test(arguments: [10, 1_500]) func aCancelledSearchEndsEarly(start: Int) async throws {
    let store = try Self.store(4_000)
    let cancelling = Cancelling()
    let task = Task {
      try await store.search(
        \.pages, in: [\.title], for: "nowhere",
        where: { _ in
          cancelling.count(cancellingAt: start)
          return true
        })
    }
    cancelling.task.withLock { $0 = task }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(cancelling.count.load(ordering: .relaxed) < 4_000)
    #expect(store.read { $0.allViolations() } == [])
  }
}

/// Counts the records that a search looks at, and cancels it at one of them.
private final class Cancelling: Sendable {
  let count = Atomic(0)
  let task = SmallLock<Task<[Article], any Error>?>(nil)

  func count(cancellingAt start: Int) {
    guard count.add(1, ordering: .relaxed).newValue == start else { return }
    while true {
      if let task = task.withLock({ $0 }) { return task.cancel() }
    }
  }
}
