import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Merges compare the stored form, not the `==` of a record.
struct StoredMergeTests {
  /// Equal to every other version of itself.
  struct Page: Record {
    let id: Int
    var text: String
    var number = 0.0
    static func == (a: Page, b: Page) -> Bool { a.id == b.id }
  }

  struct Pages: Model {
    var pages = Table<Page>()
    static let schema = Schema<Pages>("pages", version: 1, Field("pages", \.pages))
  }

  /// Not equal to itself if it has a NaN.
  struct Reading: Record {
    let id: Int
    var value: Double
  }

  struct Readings: Model {
    var readings = Table<Reading>()
    var means = Table<Reading>()
    static let schema = Schema<Readings>(
      "readings", version: 1,
      Field("readings", \.readings),
      Field("means", \.means),
      rules: [
        Rule("mean") { _, value in
          let sum = value.readings.reduce(0) { $0 + $1.value }
          try value.means.upsert(Reading(id: 0, value: sum / Double(value.readings.count)))
        }
      ])
  }

  private static func pages() throws -> Store<Pages> {
    let store = Store(Pages())
    try store.write { value in for id in 1...3 { try value.pages.insert(Page(id: id, text: "caf\u{e9}")) } }
    return store
  }

  private static func texts(_ pages: Pages) -> [[UInt8]] { pages.pages.map { Array($0.text.utf8) } }

  @Test func editsThatAreEqualAreMade() throws {
    let store = try Self.pages()
    let pad = store.scratchpad()
    try pad.write { try $0.pages.update(1) { $0.text = "new" } }
    try store.write { try $0.pages.update(2) { $0.text = "cafe\u{301}" } }
    #expect(try pad.commit().conflicts == [])
    let expected = ["new", "cafe\u{301}", "caf\u{e9}"].map { Array($0.utf8) }
    #expect(store.read(Self.texts) == expected && pad.read(Self.texts) == expected)

    let history = UndoHistory(of: store)
    try store.write { try $0.pages.update(3) { $0.number = -0.0 } }
    try store.write { try $0.pages.update(2) { $0.text = "other" } }
    try history.undo()
    #expect(store.read(Self.texts) == expected)
    try history.undo()
    #expect(store.read { $0.pages[3]?.number.sign } == .plus)
  }

  @Test func aRecordThatDiffersFromItselfIsNoConflict() throws {
    let store = Store(Readings())
    try store.write { value in
      for id in 1...2 { try value.readings.insert(Reading(id: id, value: .nan)) }
    }
    let pad = store.scratchpad()
    try pad.write { $0.readings.remove(1) }
    try store.write { try $0.readings.insert(Reading(id: 3, value: 1)) }
    #expect(try pad.commit().conflicts == [])
    #expect(store.read { $0.readings.map(\.id) } == [2, 3])

    let history = UndoHistory(of: store)
    try store.write { try $0.readings.insert(Reading(id: 4, value: .nan)) }
    #expect(try history.undo()?.conflicts == [])
    #expect(store.read { $0.readings.map(\.id) } == [2, 3])
  }

  // A mean of nothing is not a number, and the rule writes it again and again.
  @Test func aRuleThatMakesANaNRests() throws {
    let store = Store(Readings())
    try store.write { try $0.readings.insert(Reading(id: 1, value: 1)) }
    try store.write { $0.readings.remove(1) }
    #expect(store.read { $0.means[0]?.value.isNaN } == true)
  }
}
