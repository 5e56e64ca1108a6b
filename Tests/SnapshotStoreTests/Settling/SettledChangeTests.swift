import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// What is kept beside a file, and what is dated, when a change comes in.
struct SettledChangeTests {
  /// Books on shelves. A book without its shelf is removed.
  private struct Library: MendingModel {
    struct Shelf: Record { let id: String }
    struct Book: Record {
      let id: Int
      var shelf: String
    }

    var shelves = Table<Shelf>()
    var books = Table<Book>()
    static let schema = Schema<Library>(name: "library", version: 1) {
      Field("shelves", \.shelves)
      Field("books", \.books)
    }

    mutating func mendAfterLosses() -> [Violation] {
      let lost = books.filter { !shelves.contains($0.shelf) }
      books.remove(lost.map(\.id))
      return lost.map { Violation(place: "books \($0.id)", message: "removed: it has no shelf") }
    }
  }

  /// The other program's file has what the mending removes, so it is kept.
  @Test func aReloadThatMendsKeepsTheirs() async throws {
    var library = Library()
    try library.shelves.insert(Library.Shelf(id: "a"))
    try library.books.insert(Library.Book(id: 1, shelf: "a"))
    let test = StoreUnderTest()
    test.bytes = try SnapshotFile.encode(library, as: .json)
    var options = StoreOptions(policy: .manual)
    options.externalChanges = .reload
    let store = try test.open(Library.self, options)
    library.shelves.remove("a")
    try library.shelves.insert(Library.Shelf(id: "b"))
    let theirs = try SnapshotFile.encode(library, as: .json)
    test.bytes = theirs
    guard case .merged(let outcome, let kept?)? = await store.checkFile() else { return #expect(Bool(false)) }
    #expect(outcome.mended.map(\.place) == ["books 1"] && store.read { $0.books.isEmpty })
    #expect(test.fileSystem[kept] == theirs)
    try await store.close()
  }

  private struct Dated: Model {
    struct Order: Record {
      let id: Int
      var note = ""
      var total = 0
      var changed = OrderBook.start
      static let mergeRules: [MergeRule] = [.derived("total"), .modified("changed")]
    }

    var orders = Table<Order>()
    var items = Table<Counter>()
    static let schema = Schema<Dated>(
      name: "dated", version: 1,
      rules: [
        Rule("totals", on: \.items) { changes, value in
          for change in changes where value.orders.contains(change.id) {
            try value.orders.update(change.id) { $0.total = value.items[change.id]?.value ?? 0 }
          }
        }
      ]
    ) {
      Field("orders", \.orders)
      Field("items", \.items)
    }
  }

  /// A computed property is nobody's change.
  @Test func aRuleRenewsNoDate() throws {
    let folder = try TemporaryFolder()
    let url = folder.url("dated.json")
    var value = Dated()
    for id in 1...2 { try value.orders.insert(Dated.Order(id: id)) }
    try SnapshotFile.create(value, as: .json, at: url)
    try SnapshotFile.change(Dated.self, at: url, datingEditsAt: .day(20)) {
      try $0.value.items.insert(Counter(id: 1, value: 7))
      try $0.value.orders.update(2) { $0.note = "late" }
    }
    let orders = try SnapshotFile.read(Dated.self, at: url).orders
    #expect(orders[1]?.total == 7 && orders[1]?.changed == OrderBook.start)
    #expect(orders[2]?.changed != OrderBook.start)
  }

  /// The other side of a merge has what a rule of this one never saw.
  @Test func rulesThatNeverRestAreNamedInAMerge() throws {
    let base = Store(Fighting())
    try base.write { try $0.left.insert(Counter(id: 1, value: 0)) }
    let pad = base.scratchpad()
    try pad.write { try $0.left.update(1) { $0.value = 1 } }
    try base.write { try $0.right.insert(Counter(id: 2, value: 0)) }
    let before = base.snapshot()
    let refusal = #expect(throws: TransactionRefusal.self) { try pad.commit() }
    #expect(refusal?.description.contains("“up”") == true && refusal?.description.contains("“down”") == true)
    #expect(base.revision == before.revision)
  }

  /// Two rules that change each other's result.
  private struct Fighting: Model {
    var left = Table<Counter>()
    var right = Table<Counter>()
    static let schema = Schema<Fighting>(
      name: "fighting", version: 1,
      rules: [
        Rule("up", on: \.left) { changes, value in
          for change in changes where (change.after?.value ?? 0) % 2 == 1 {
            try value.left.update(change.id) { $0.value += 1 }
          }
        },
        Rule("down", on: \.left) { changes, value in
          for change in changes where change.after.map({ $0.value > 0 && $0.value % 2 == 0 }) == true {
            try value.left.update(change.id) { $0.value += 1 }
          }
        },
      ]
    ) {
      Field("left", \.left)
      Field("right", \.right)
    }
  }
}
