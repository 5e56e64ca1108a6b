import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Tables that are made from many records at once, as from a file.
struct TableBuildingTests {
  @Test func recordsInAnyOrder() {
    each(SeededGenerator.seeds(5), [0, 1, 33, 2_000]) { (seed: UInt64, size: Int) throws in
      var random = SeededGenerator(seed: seed)
      let sorted = (0..<size).map { id in Person.random(id: id, using: &random).withoutUniqueKeys }
      let table = try Table(sorted.shuffled(using: &random))
      #expect(table.ids == sorted.map(\.id))
      #expect(table.invariantViolations() == [])

      var inserted = Table<Person>()
      for person in sorted.shuffled(using: &random) { try inserted.insert(person) }
      #expect(inserted.ids == table.ids)
      #expect(inserted.records(in: Person.byAge).map(\.id) == table.records(in: Person.byAge).map(\.id))
    }
  }

  @Test(arguments: [["a", "b", "b"], ["b", "a", "b"], ["caf\u{E9}", "cafe\u{301}"]])
  func oneIDTwiceIsRefused(ids: [String]) {
    expectRefusal(.duplicate) { _ = try Table(ids.map { Word(id: $0) }) }
  }

  /// A NaN has no place in any order, at any position.
  @Test func anIDThatIsNotEqualToItselfIsRefused() {
    each(0..<4) { (position: Int) in
      var readings = [1, 2, 3].map { Reading(id: $0) }
      readings.insert(Reading(id: .nan), at: position)
      expectRefusal(.invalidValue) { _ = try Table(readings) }
    }
  }

  @Test func aUniqueKeyTwiceIsRefused() {
    let people = [7, 3, 5].map { Person(id: $0, email: $0 == 3 ? "b" : "a") }
    let error = expectRefusal(.uniqueKeyTaken) { _ = try Table(people) }
    #expect(error?.message.contains("email") == true)
    expectRefusal(.uniqueKeyTaken) { _ = try Table([Person(id: 1, phones: [1, 2]), Person(id: 2, phones: [3, 2])]) }
  }

  /// A record that is not in an index cannot clash there.
  @Test func missingKeysAreNoKeys() throws {
    let table = try Table((0..<50).map { Person(id: $0, age: $0 % 2 == 0 ? .nan : nil) })
    #expect(table.count == 50)
    #expect(Array(table.records(in: Person.byEmail)) == [])
    #expect(Array(table.records(in: Person.byAge)) == [])
    #expect(table.invariantViolations() == [])
  }

  /// One record may have one key twice; it does not clash with itself.
  @Test func aKeyTwiceInOneRecordIsOneKey() throws {
    var table = try Table([Person(id: 1, groups: ["a", "a"], phones: [5, 5])])
    try table.upsert(Person(id: 1, groups: ["a", "b", "a"], phones: [5, 6, 5]))
    #expect(table.records(in: Person.byGroup, at: "a").map(\.id) == [1])
    #expect(table.records(in: Person.byPhone).map(\.id) == [1, 1])
    #expect(table.invariantViolations() == [])
  }
}
