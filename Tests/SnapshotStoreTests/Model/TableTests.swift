import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Single changes of a table: the effect of each, its refusals, and that a refusal changes nothing.
struct TableTests {
  private static func table() throws -> Table<Word> { try Table(["b", "d", "f"].map { Word(id: $0) }) }

  @Test func insertRefusesATakenID() throws {
    var table = try Self.table()
    let before = table
    let error = expectRefusal(.idTaken) { try table.insert(Word(id: "d", count: 9)) }
    #expect(error?.message.contains("“d”") == true)
    #expect(table.isIdentical(to: before))

    try table.insert(Word(id: "c"))
    #expect(table.ids == ["b", "c", "d", "f"])
    #expect(before.ids == ["b", "d", "f"])
    #expect(table.invariantViolations() == [])
  }

  @Test func upsertAddsOrReplaces() throws {
    var table = try Self.table()
    #expect(try table.upsert(Word(id: "a")) == nil)
    #expect(try table.upsert(Word(id: "d", count: 2)) == Word(id: "d", count: 1))
    #expect(table["d"] == Word(id: "d", count: 2))
    #expect(table.ids == ["a", "b", "d", "f"])
    #expect(table.invariantViolations() == [])
  }

  @Test func updateChangesInPlaceAndGivesTheResult() throws {
    var table = try Self.table()
    let result = try table.update("d") { word in
      word.count += 1
      return "done"
    }
    #expect(result == "done")
    #expect(table["d"]?.count == 2)
    #expect(table.count == 3)
    expectRefusal(.recordNotFound) { try table.update("e") { $0.count += 1 } }
    #expect(table.invariantViolations() == [])
  }

  @Test func aThrowingUpdateChangesNothing() throws {
    struct Stop: Error {}
    var table = try Self.table()
    let before = table
    #expect(throws: Stop.self) {
      try table.update("d") {
        $0.count = 100
        throw Stop()
      }
    }
    #expect(table.isIdentical(to: before))
    #expect(table["d"]?.count == 1)
    #expect(table.invariantViolations() == [])
  }

  @Test func updateRefusesAnotherID() {
    each(["c", "b", "D", ""]) { (id: String) throws in
      var table = try Self.table()
      let before = table
      expectRefusal(.invalidValue) { try table.update("d") { $0 = Word(id: id) } }
      #expect(table.isIdentical(to: before))
      #expect(table.invariantViolations() == [])
    }
  }

  @Test func removing() throws {
    var table = try Self.table()
    #expect(table.remove("d") == Word(id: "d"))
    let before = table
    #expect(table.remove("d") == nil)
    #expect(table.isIdentical(to: before))
    #expect(table.ids == ["b", "f"])
    #expect(table.invariantViolations() == [])
  }

  /// Unknown and repeated ids are ignored. The result is in the order of the ids.
  @Test func removingMany() throws {
    var table = try Self.table()
    #expect(table.remove(["f", "x", "b", "f"]).map(\.id) == ["f", "b"])
    #expect(table.ids == ["d"])
    #expect(table.remove([]).isEmpty)
    #expect(table.invariantViolations() == [])
  }

  @Test func removingWhere() throws {
    struct Stop: Error {}
    var table = try Table((0..<1_000).map { Reading(id: Double($0)) })
    let before = table
    #expect(table.removeAll { $0.id < 0 }.isEmpty)
    #expect(table.isIdentical(to: before))
    #expect(throws: Stop.self) { try table.removeAll { if $0.id == 500 { throw Stop() } else { true } } }
    #expect(table.isIdentical(to: before))

    let odd = { (reading: Reading) in Int(reading.id) % 2 == 1 }
    #expect(table.removeAll(where: odd).map(\.id) == before.filter(odd).map(\.id))
    #expect(table.elementsEqual(before.filter { !odd($0) }))
    #expect(table.invariantViolations() == [])
  }

  @Test func removingAll() throws {
    var table = try Self.table()
    table.removeAll()
    #expect(table.isEmpty)
    #expect(table.first == nil)
    let empty = table
    table.removeAll()
    #expect(table.isIdentical(to: empty))
    #expect(table.invariantViolations() == [])
  }

  @Test func aCopyIsTheSameTableUntilEitherIsChanged() throws {
    var table = try Table((0..<100_000).map { Reading(id: Double($0)) })
    let copy = table
    #expect(copy.isIdentical(to: table))
    try table.update(500) { $0.value = 1 }
    #expect(!copy.isIdentical(to: table))
    #expect(copy[500]?.value == 0)
    #expect(copy != table)
    // Equal again, but not the same in memory.
    try table.update(500) { $0.value = 0 }
    #expect(copy == table)
    #expect(!copy.isIdentical(to: table))
    #expect(table.invariantViolations() == [])
  }
}
