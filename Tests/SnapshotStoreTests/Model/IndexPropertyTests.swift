import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Indexes under random changes, compared with newly built indexes and with plain filters.
struct IndexPropertyTests {
  @Test func indexesAgreeWithTheirTable() {
    each(SeededGenerator.seeds(6)) { (seed: UInt64) in
      var random = SeededGenerator(seed: seed)
      var people = Table<Person>()
      var held: [Table<Person>] = []
      for round in 0..<8 {
        people.changeAtRandom(150, using: &random)
        #expect(people.invariantViolations() == [])
        checkQueries(of: people)
        if round % 4 == 1 { held.append(people) }
        if round % 5 == 4 { people.removeAll { $0.groups.contains("a") } }
      }
      for copy in held {
        #expect(copy.invariantViolations() == [])
        checkQueries(of: copy)
      }
    }
  }

  /// Every kind of insertion refuses a key that another record has, before anything is changed: tree, indexes,
  /// identity.
  @Test func aRefusedKeyChangesNothing() {
    each(SeededGenerator.seeds(4)) { (seed: UInt64) in
      var random = SeededGenerator(seed: seed)
      var people = Table<Person>()
      people.changeAtRandom(300, using: &random)
      var refusals = 0
      for _ in 0..<300 {
        let before = people
        let person = Person.random(id: Int.random(in: 0..<200, using: &random), using: &random)
        guard people.contains(where: { $0.id != person.id && $0.shares(aUniqueKeyWith: person) }) else {
          #expect(throws: Never.self) { try people.upsert(person) }
          continue
        }
        refusals += 1
        expectRefusal(.uniqueKeyTaken) { try people.upsert(person) }
        #expect(people.isIdentical(to: before))
        #expect(people.indexEntries == before.indexEntries)
      }
      #expect(refusals > 20)
      #expect(people.invariantViolations() == [])
    }
  }

  /// A record may clash in its last index only. The first indexes must not have been changed by then.
  @Test func aClashInTheLastIndexChangesNothing() throws {
    var people = try Table([Person(id: 1, email: "a", age: 1, groups: ["x"], phones: [5]), Person(id: 2, email: "b")])
    let before = people
    let clashing = Person(id: 2, email: "c", age: 2, groups: ["y"], phones: [4, 5])
    expectRefusal(.uniqueKeyTaken) { try people.upsert(clashing) }
    expectRefusal(.uniqueKeyTaken) { try people.update(2) { $0 = clashing } }
    expectRefusal(.uniqueKeyTaken) { try people.insert(Person(id: 3, email: "d", phones: [5])) }
    expectRefusal(.uniqueKeyTaken) { try people.apply([.removed(Person(id: 9)), .inserted(clashing)]) }
    #expect(people.isIdentical(to: before))
    #expect(people.indexEntries == before.indexEntries)
    #expect(people.invariantViolations() == [])
  }

  private func checkQueries(of people: Table<Person>, sourceLocation: SourceLocation = #_sourceLocation) {
    let all = Array(people)
    for age in stride(from: -1.0, through: 21, by: 4) {
      let expected = all.filter { $0.age.map { $0 >= age && $0 <= age + 5 } ?? false }
        .sorted { ($0.age ?? 0, $0.id) < ($1.age ?? 0, $1.id) }
      let found = people.records(in: Person.byAge, from: age...age + 5)
      #expect(found.map(\.id) == expected.map(\.id), sourceLocation: sourceLocation)
      #expect(found.reversed().map(\.id) == expected.reversed().map(\.id), sourceLocation: sourceLocation)
    }
    for group in ["a", "b", "c", "d", "e"] {
      let expected = all.filter { $0.groups.contains(group) }
      let found = people.records(in: Person.byGroup, at: group)
      #expect(found.map(\.id) == expected.map(\.id), sourceLocation: sourceLocation)
    }
    let byEmail = all.filter { $0.email != nil }.sorted { $0.email ?? "" < $1.email ?? "" }
    #expect(people.records(in: Person.byEmail).map(\.id) == byEmail.map(\.id), sourceLocation: sourceLocation)
  }
}

extension Person {
  fileprivate func shares(aUniqueKeyWith other: Person) -> Bool {
    (email != nil && email == other.email) || !Set(phones).isDisjoint(with: other.phones)
  }
}

extension Table<Person> {
  /// The content of the indexes, in words.
  fileprivate var indexEntries: [[Int]] {
    [
      records(in: Person.byEmail).map(\.id), records(in: Person.byAge).map(\.id), records(in: Person.byGroup).map(\.id),
      records(in: Person.byPhone).map(\.id),
    ]
  }
}
