import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Reading a table in order: all of it, ranges of ids, in both directions.
struct TableQueryTests {
  static let words = ["ant", "bee", "cat", "dog", "eel", "fox"]

  private static func table() throws -> Table<Word> { try Table(words.map { Word(id: $0) }) }

  @Test func everythingInOrder() throws {
    let table = try Self.table()
    #expect(table.map(\.id) == Self.words)
    #expect(table.ids == Self.words)
    #expect(table.reversed().map(\.id) == Self.words.reversed())
    #expect(table.reversed().reversed().map(\.id) == Self.words)
    #expect(table.first?.id == "ant")
    #expect(table.last?.id == "fox")
    #expect(table.count == 6)
    #expect(table.underestimatedCount == 6)
    #expect(table.contains("cat"))
    #expect(!table.contains("cow"))
    #expect(table.invariantViolations() == [])
  }

  @Test func anEmptyTable() {
    let table = Table<Word>()
    #expect(table.first == nil)
    #expect(table.last == nil)
    #expect(table.ids == [])
    #expect(Array(table.reversed()) == [])
    #expect(table.records(in: "a"...).isEmpty)
    #expect(table.invariantViolations() == [])
  }

  /// All five kinds of range, with bounds that are in the table and bounds that are not.
  @Test func rangesOfIDs() {
    each(["", "ant", "b", "cat", "cow", "fox", "z"], ["ant", "b", "cat", "cow", "eel", "fox", "z"]) {
      (low: String, high: String) throws in
      let table = try Self.table()
      check(table, low..., Self.words.filter { $0 >= low })
      check(table, ...high, Self.words.filter { $0 <= high })
      check(table, ..<high, Self.words.filter { $0 < high })
      if low <= high {
        check(table, low...high, Self.words.filter { $0 >= low && $0 <= high })
        check(table, low..<high, Self.words.filter { $0 >= low && $0 < high })
      }
    }
  }

  @Test func theFirstRecordOfAQuery() throws {
    let table = try Self.table()
    #expect(table.records(in: "b"...).first?.id == "bee")
    #expect(table.records(in: "b"..."d").reversed().first?.id == "cat")
    #expect(table.records(in: "zz"...).first == nil)
  }

  /// A range belongs to the table at the time of the query.
  @Test func recordsAreASnapshot() throws {
    var table = try Self.table()
    let records = table.records(in: "b"..."d")
    for word in records {
      table.remove(word.id)
      try table.insert(Word(id: word.id + "s"))
    }
    #expect(records.map(\.id) == ["bee", "cat"])
    #expect(table.records(in: "b"..."d").map(\.id) == ["bees", "cats"])
    #expect(table.invariantViolations() == [])
  }

  /// Records can be iterated repeatedly.
  @Test func recordsAreNotUsedUp() throws {
    let records = try Self.table().records(in: "c"...)
    #expect(Array(records) == Array(records))
    #expect(!records.isEmpty)
  }

  private func check(
    _ table: Table<Word>, _ range: some KeyRange<String> & Sendable, _ expected: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let records = table.records(in: range)
    #expect(records.map(\.id) == expected, sourceLocation: sourceLocation)
    #expect(records.reversed().map(\.id) == expected.reversed(), sourceLocation: sourceLocation)
    #expect(records.isEmpty == expected.isEmpty, sourceLocation: sourceLocation)
    #expect(table.invariantViolations() == [], sourceLocation: sourceLocation)
  }
}
