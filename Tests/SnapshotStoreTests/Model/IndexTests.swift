import Testing

@testable import SnapshotStore
@testable import TestSupport

/// The results of each kind of index.
struct IndexTests {
  private static func people() throws -> Table<Person> {
    try Table([
      Person(id: 1, email: "c", age: 30, groups: ["red", "blue"]),
      Person(id: 2, email: nil, age: nil, groups: []),
      Person(id: 3, email: "a", age: 20, groups: ["blue"], phones: [7]),
      Person(id: 4, email: "b", age: .nan, groups: ["red", "green"], phones: [8, 9]),
      Person(id: 5, age: 30, groups: ["blue", "blue"]),
    ])
  }

  @Test func orderedByKeyThenByID() throws {
    let people = try Self.people()
    #expect(people.records(in: Person.byAge).map(\.id) == [3, 1, 5])
    #expect(people.records(in: Person.byAge).reversed().map(\.id) == [5, 1, 3])
    #expect(people.records(in: Person.byAge, at: 30).map(\.id) == [1, 5])
    #expect(people.records(in: Person.byAge, at: 30).reversed().map(\.id) == [5, 1])
    #expect(people.records(in: Person.byAge, at: 25).isEmpty)
    #expect(people.records(in: Person.byAge, from: 20..<30).map(\.id) == [3])
    #expect(people.records(in: Person.byAge, from: 25...).map(\.id) == [1, 5])
    #expect(people.records(in: Person.byAge, from: ...25).map(\.id) == [3])
    #expect(people.records(in: Person.byEmail).map(\.id) == [3, 4, 1])
    #expect(people.invariantViolations() == [])
  }

  @Test func multiValued() throws {
    let people = try Self.people()
    #expect(people.records(in: Person.byGroup, at: "blue").map(\.id) == [1, 3, 5])
    #expect(people.records(in: Person.byGroup, at: "red").map(\.id) == [1, 4])
    #expect(people.records(in: Person.byGroup, at: "grey").isEmpty)
    // The whole index: a record is listed once under each of its keys.
    #expect(people.records(in: Person.byGroup).map(\.id) == [1, 3, 5, 4, 1, 4])
    #expect(people.records(in: Person.byPhone, from: 8...).map(\.id) == [4, 4])
  }

  @Test func anIndexFollowsEveryChange() throws {
    var people = try Self.people()
    try people.update(3) { $0.groups = ["red"] }
    #expect(people.records(in: Person.byGroup, at: "blue").map(\.id) == [1, 5])
    #expect(people.records(in: Person.byGroup, at: "red").map(\.id) == [1, 3, 4])
    try people.update(4) { $0.age = 25 }
    #expect(people.records(in: Person.byAge).map(\.id) == [3, 4, 1, 5])
    try people.update(4) { $0.age = .nan }
    #expect(people.records(in: Person.byAge).map(\.id) == [3, 1, 5])
    people.remove(1)
    #expect(people.records(in: Person.byGroup, at: "red").map(\.id) == [3, 4])
    #expect(people.invariantViolations() == [])
    people.removeAll()
    #expect(Array(people.records(in: Person.byGroup)) == [])
    #expect(people.invariantViolations() == [])
  }

  /// Records found through an index belong to the table at that time, and can be changed during the iteration.
  @Test func recordsOfAnIndexAreASnapshot() throws {
    var people = try Self.people()
    for person in people.records(in: Person.byGroup, at: "blue") {
      try people.update(person.id) { $0.groups.removeAll { $0 == "blue" } }
    }
    #expect(people.records(in: Person.byGroup, at: "blue").isEmpty)
    #expect(people.records(in: Person.byGroup, at: "red").map(\.id) == [1, 4])
    #expect(people.invariantViolations() == [])
  }

  /// A key that a record gives up is free at once.
  @Test func aUniqueKeyCanBePassedOn() throws {
    var people = try Self.people()
    try people.update(1) { $0.email = nil }
    try people.update(2) { $0.email = "c" }
    people.remove(3)
    try people.update(4) { $0.email = "a" }
    try people.update(4) { $0.email = "A" }
    #expect(people.records(in: Person.byEmail).map(\.id) == [4, 2])
    #expect(people.invariantViolations() == [])
  }

  /// The check that all other tests rely on must find an index that disagrees.
  @Test func theCheckSeesAnIndexThatDisagrees() throws {
    var people = try Self.people()
    people.indexes[1].maintainer.update(&people.indexes, 1, nil, RecordBox(Person(id: 9, age: 50)))
    #expect(people.invariantViolations() == ["index age: does not agree with its table"])

    people = try Self.people()
    people.tree.updateValue(RecordBox(Person(id: 8)), forKey: 7)
    #expect(people.invariantViolations() == ["record “8” stands under “7”"])
  }

  @Test func anUndeclaredIndexTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = Table<Word>().records(in: Index<Word, Int>("count") { $0.count })
    }
  }
}
