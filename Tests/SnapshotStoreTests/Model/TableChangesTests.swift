import Testing

@testable import SnapshotStore
@testable import TestSupport

/// The difference of two tables, and its application to another table.
struct TableChangesTests {
  @Test func eachKindOfChange() throws {
    let old = try Table(["a", "b", "c", "d"].map { Word(id: $0) })
    var new = old
    new.remove("a")
    try new.update("c") { $0.count = 2 }
    try new.insert(Word(id: "cc"))
    // Replaced by an equal one: no change.
    try new.upsert(Word(id: "d"))
    let changes = new.changes(from: old)
    #expect(
      changes == [
        .removed(Word(id: "a")), .updated(before: Word(id: "c"), after: Word(id: "c", count: 2)),
        .inserted(Word(id: "cc")),
      ])
    #expect(changes.map(\.id) == ["a", "c", "cc"])
    #expect(changes.map(\.before?.count) == [1, 1, nil])
    #expect(changes.map(\.after?.count) == [nil, 2, 1])
    #expect(old.changes(from: old) == [])
  }

  @Test func applyingTheChangesGivesTheNewTable() {
    each(SeededGenerator.seeds(12), [0, 1, 10, 200]) { (seed: UInt64, count: Int) throws in
      var random = SeededGenerator(seed: seed)
      var old = Table<Person>()
      old.changeAtRandom(300, hasNaN: false, isUnique: false, using: &random)
      var new = old
      new.changeAtRandom(count, hasNaN: false, isUnique: false, using: &random)
      try checkRoundTrip(old, new)
    }
  }

  /// The same with unique keys: on the way from one valid table to another, no order of single replacements need be
  /// valid.
  @Test func applyingTheChangesWithUniqueKeys() {
    each(SeededGenerator.seeds(12), [1, 10, 200]) { (seed: UInt64, count: Int) throws in
      var random = SeededGenerator(seed: seed)
      var old = Table<Person>()
      old.changeAtRandom(300, hasNaN: false, using: &random)
      var new = old
      new.changeAtRandom(count, hasNaN: false, using: &random)
      try checkRoundTrip(old, new)
    }
  }

  /// Tables without a common origin.
  @Test func unrelatedTables() {
    each(SeededGenerator.seeds(5)) { (seed: UInt64) throws in
      var random = SeededGenerator(seed: seed)
      var (a, b) = (Table<Person>(), Table<Person>())
      a.changeAtRandom(200, hasNaN: false, isUnique: false, using: &random)
      b.changeAtRandom(200, hasNaN: false, isUnique: false, using: &random)
      try checkRoundTrip(a, b)
      try checkRoundTrip(Table(), b)
    }
  }

  @Test func uniqueKeysThatWereSwapped() throws {
    let old = try Table([Person(id: 1, email: "a"), Person(id: 2, email: "b"), Person(id: 3, email: "c")])
    let swapped = try Table([Person(id: 1, email: "b"), Person(id: 2, email: "a"), Person(id: 3, email: "c")])
    try checkRoundTrip(old, swapped)
    let rotated = try Table([Person(id: 1, email: "b"), Person(id: 2, email: "c"), Person(id: 3, email: "a")])
    try checkRoundTrip(old, rotated)
  }

  /// The record that takes a key comes before the one that gives it up.
  @Test func aUniqueKeyThatWasHandedOver() throws {
    let old = try Table([Person(id: 2, email: "a"), Person(id: 3, email: "b")])
    let new = try Table([Person(id: 1, email: "a"), Person(id: 2, email: nil), Person(id: 4, email: "b")])
    try checkRoundTrip(old, new)
  }

  @Test func applyingNothingKeepsTheIdentity() throws {
    var table = try Table([Word(id: "a")])
    let before = table
    try table.apply([])
    try table.apply([.removed(Word(id: "x"))])
    #expect(table.isIdentical(to: before))
  }

  /// Changes of another pair of values that clash with the table are refused as a whole.
  @Test func aChangeThatFitsNoMoreIsRefused() throws {
    var table = try Table([Person(id: 1, email: "a"), Person(id: 2, email: "b"), Person(id: 3)])
    let before = table
    expectRefusal(.uniqueKeyTaken) {
      try table.apply([.removed(Person(id: 3)), .inserted(Person(id: 4)), .inserted(Person(id: 5, email: "b"))])
    }
    #expect(table.isIdentical(to: before))
    #expect(table.invariantViolations() == [])
  }

  private func checkRoundTrip(
    _ old: Table<Person>, _ new: Table<Person>, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for (from, to) in [(old, new), (new, old)] {
      var table = from
      let changes = to.changes(from: from)
      #expect(throws: Never.self, sourceLocation: sourceLocation) { try table.apply(changes) }
      #expect(table.elementsEqual(to), sourceLocation: sourceLocation)
      #expect(table.invariantViolations() == [], sourceLocation: sourceLocation)
      #expect(changes.isEmpty == from.elementsEqual(to), sourceLocation: sourceLocation)
      #expect(changes.map(\.id) == changes.map(\.id).sorted(), sourceLocation: sourceLocation)
    }
  }
}
