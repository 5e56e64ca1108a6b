import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// What is kept beside a file, and what is dated, when a change comes in.
struct SettledChangeTests {
  /// Books on shelves. A book without its shelf is removed.
  private struct Library: RepairingModel {
    struct Shelf: Record { let id: String }
    struct Book: Record {
      let id: Int
      var shelf: String
    }

    var shelves = Table<Shelf>()
    var books = Table<Book>()
    static let schema = Schema<Library>(
      "library", version: 1,
      Field("shelves", \.shelves),
      Field("books", \.books))

    mutating func repair() -> [Violation] {
      let lost = books.filter { !shelves.contains($0.shelf) }
      books.remove(lost.map(\.id))
      return lost.map { Violation(place: "books \($0.id)", message: "removed: it has no shelf") }
    }
  }

  /// The other program's file has what the repair removes, so it is kept.
  @Test func aReloadThatRepairsKeepsTheirs() async throws {
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
    #expect(outcome.repaired.map(\.place) == ["books 1"] && store.read { $0.books.isEmpty })
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
      "dated", version: 1,
      Field("orders", \.orders),
      Field("items", \.items),
      rules: [
        Rule("totals", on: \.items) { changes, value in
          for change in changes where value.orders.contains(change.id) {
            try value.orders.update(change.id) { $0.total = value.items[change.id]?.value ?? 0 }
          }
        }
      ])
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
      "fighting", version: 1,
      Field("left", \.left),
      Field("right", \.right),
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
      ])
  }

  // MARK: A rule that throws

  private struct Fussy: Error, CustomStringConvertible {
    var description: String { "there are too many" }
  }

  /// A rule that two sides refuse only together, beside a key that is declared as computed and does not exist.
  private struct Limited: Model {
    struct Thing: Record {
      let id: Int
      var value = 0
      static let mergeRules: [MergeRule] = [.derived("valeu")]
    }

    var things = Table<Thing>()
    static let schema = Schema<Limited>(
      "limited", version: 1,
      Field("things", \.things),
      rules: [Rule("few", on: \.things) { _, value in if value.things.count > 3 { throw Fussy() } }])

    static func filled() throws -> Limited {
      var value = Limited()
      for id in 1...2 { try value.things.insert(Thing(id: id)) }
      return value
    }
  }

  @Test func aMergeThatARuleRefusesKeepsBothSides() async throws {
    let base = try Limited.filled()
    let (add, addToo) = (Limited.Thing(id: 3), Limited.Thing(id: 4))
    // Files.
    var (ours, theirs) = (base, base)
    try ours.things.insert(add)
    try theirs.things.insert(addToo)
    #expect(throws: Fussy.self) {
      try SnapshotContent.settledMerge(
        base: SnapshotContent(base), ours: SnapshotContent(ours), theirs: SnapshotContent(theirs))
    }
    // A scratchpad.
    let store = Store(base)
    let pad = store.scratchpad()
    try pad.write { try $0.things.insert(add) }
    try store.write { try $0.things.insert(addToo) }
    #expect(throws: Fussy.self) { try pad.commit() }
    #expect(store.read { $0.things.ids == [1, 2, 4] } && pad.read { $0.things.ids == [1, 2, 3] })
    // Another program.
    let test = StoreUnderTest()
    test.bytes = try SnapshotFile.encode(base, as: .json)
    var options = StoreOptions(policy: .manual)
    options.externalChanges = .merge
    let open = try test.open(Limited.self, options)
    try open.write { try $0.things.insert(add) }
    let bytes = try SnapshotFile.encode(theirs, as: .json)
    test.bytes = bytes
    guard case .rejected(let reason, let kept)? = await open.checkFile() else { return #expect(Bool(false)) }
    #expect("\(reason)".contains("too many"))
    #expect(open.read { $0.things.ids == [1, 2, 3] })
    #expect(test.bytes == bytes || kept.map { test.fileSystem[$0] == bytes } == true)
    try? await open.close()
  }

  /// A property that is declared as computed and does not exist changes nothing.
  @Test func aComputedPropertyThatDoesNotExist() throws {
    let base = try Limited.filled()
    var (ours, theirs) = (base, base)
    try ours.things.update(1) { $0.value = 1 }
    try theirs.things.update(1) { $0.value = 2 }
    let merged = try SnapshotContent.settledMerge(
      base: SnapshotContent(base), ours: SnapshotContent(ours), theirs: SnapshotContent(theirs))
    #expect(merged.conflicts.count == 1 && merged.content.value.things[1]?.value == 1)
    #expect(merged.content.value.allViolations() == [])
  }

  // MARK: Salvage

  /// What is found counts, not what is lost.
  @Test func totalsOfASalvagedBook() throws {
    let text = String(decoding: try SnapshotFile.encode(try OrderBook.filled(), as: .json), as: UTF8.self)
    let broken = text.replacing("{\"id\":2,\"order\":1", with: "{\"id\":2,,\"order\":1")
    #expect(broken != text)
    let salvaged = try Salvaged<OrderBook>(of: Array(broken.utf8))
    #expect(salvaged.value.items.ids == [1] && salvaged.value.orders[1]?.total == 1)
    #expect(salvaged.value.counts.items == 1)
    #expect(salvaged.losses.contains { $0.kind == .repair && $0.reason.contains("computed again") })
    // The remark on the lost item is kept, and the check finds it.
    #expect(salvaged.value.problems() == ["remarks 2: its item “2” does not exist"])
    let filled = try salvaged.filled(from: SnapshotContent(try OrderBook.filled()))
    #expect(filled.content.value.problems() == [] && filled.content.value.orders[1]?.total == 3)
  }

  /// A rule that refuses what was found does not lose it.
  @Test func aRuleThatRefusesWhatWasFound() throws {
    var value = try Limited.filled()
    for id in 3...6 { try value.things.insert(Limited.Thing(id: id)) }
    let text = String(decoding: try SnapshotFile.encode(value, as: .json), as: UTF8.self)
    let salvaged = try Salvaged<Limited>(of: Array(text.replacing("{\"id\":2,", with: "{\"id\":2,,").utf8))
    #expect(salvaged.value.things.ids == [1, 3, 4, 5, 6])
    #expect(salvaged.losses.contains { $0.kind == .repair && $0.reason.contains("too many") })
  }

  /// Nothing is settled in a scratchpad, not even an undo beside the changes of others.
  @Test func anUndoInAScratchpadIsSettledByTheCommit() throws {
    let store = Store(try OrderBook.filled())
    let pad = store.scratchpad()
    let history = UndoHistory(of: pad.store)
    try history.perform("price") { try $0.setPrice(1, 9, at: 5) }
    try pad.write(origin: .parent) { try $0.setPrice(2, 4, at: 5) }
    _ = try history.undo()
    #expect(pad.read { $0.items[1]?.price == 1 && $0.items[2]?.price == 4 && $0.orders[1]?.total == 3 })
    try pad.commit()
    #expect(store.read { $0.orders[1]?.total } == 5)
    #expect(store.snapshot().value.problems() == [])
  }
}
