import Testing

@testable import SnapshotStore
@testable import TestSupport

/// The content of a change set between two values of a model.
struct ChangeSetTests {
  private static func directory() throws -> Directory {
    var directory = Directory()
    for id in ["a", "b", "c"] { try directory.words.insert(Word(id: id)) }
    try directory.people.insert(Person(id: 1, email: "a"))
    return directory
  }

  @Test func changesOfEachTable() throws {
    let before = try Self.directory()
    var after = before
    try after.words.update("b") { $0.count = 5 }
    after.people.remove(1)
    let changeSet = ChangeSet(before: before, after: after, revision: 7, origin: "sync")
    #expect(changeSet.changes(in: \.words) == [.updated(before: Word(id: "b"), after: Word(id: "b", count: 5))])
    #expect(changeSet.changes(in: \.people) == [.removed(Person(id: 1, email: "a"))])
    #expect(changeSet.changes(in: \.readings) == [])
    #expect(!changeSet.isEmpty)
    #expect(changeSet.revision == 7)
    #expect(changeSet.origin == Origin("sync"))
    #expect(changeSet.origin.name == "sync")
    #expect(after.allViolations() == [])
  }

  @Test func theOriginIsLocalUnlessSaid() {
    #expect(ChangeSet(before: Directory(), after: Directory(), revision: 1).origin == .local)
  }

  /// A record that was changed and changed back is no change, although the table is another one.
  @Test func changedAndChangedBackIsEmpty() throws {
    let before = try Self.directory()
    var after = before
    try after.words.update("b") { $0.count = 5 }
    try after.words.update("b") { $0.count = 1 }
    try after.people.upsert(Person(id: 1, email: "a"))
    #expect(ChangeSet(before: before, after: after, revision: 1).isEmpty)
    #expect(after.hasSameRecords(as: before))
    #expect(!after.hasSameTables(as: before))
    #expect(after.allViolations() == [])
  }

  /// The last table counts as much as the first.
  @Test func everyTableIsCompared() throws {
    let before = try Self.directory()
    #expect(before.hasSameTables(as: before))
    var first = before
    first.words.remove("a")
    var last = before
    try last.readings.insert(Reading(id: 1))
    for after in [first, last] {
      #expect(!after.hasSameTables(as: before))
      #expect(!after.hasSameRecords(as: before))
      #expect(!ChangeSet(before: before, after: after, revision: 1).isEmpty)
      #expect(after.allViolations() == [])
    }
  }

  /// A removal and an insertion keep the count. The comparison must not stop there.
  @Test func anEqualCountIsNotEquality() throws {
    let before = try Self.directory()
    var after = before
    after.words.remove("a")
    try after.words.insert(Word(id: "z"))
    #expect(after.words.count == before.words.count)
    #expect(after.words != before.words)
    #expect(!after.hasSameRecords(as: before))
    #expect(after.allViolations() == [])
  }
}
