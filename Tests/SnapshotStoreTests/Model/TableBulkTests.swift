import Testing

@testable import SnapshotStore
@testable import TestSupport

/// One change of many records.
@Suite struct TableBulkTests {
  private static func people(_ count: Int) throws -> Table<Person> {
    try Table((0..<count).map { Person(id: $0, email: "\($0)", groups: ["a"]) })
  }

  @Test func thoseThatPassATest() throws {
    var people = try Self.people(100)
    let changed = try people.update(where: { $0.id.isMultiple(of: 10) }) { $0.groups = ["b"] }
    #expect(changed == Array(stride(from: 0, to: 100, by: 10)))
    #expect(people.records(in: Person.byGroup, at: "b").map(\.id) == changed)
    #expect(try people.updateAll { $0.groups = [] }.count == 100)
    #expect(people.records(in: Person.byGroup, at: "a").isEmpty)
    #expect(people.invariantViolations() == [])
  }

  @Test func allOrNone() throws {
    var people = try Self.people(10)
    let before = people
    expectRefusal(.uniqueKeyTaken) { try people.updateAll { if $0.id > 5 { $0.email = "same" } } }
    #expect(people == before)
    struct Stop: Error {}
    #expect(throws: Stop.self) { try people.updateAll { if $0.id == 5 { throw Stop() } else { $0.email = nil } } }
    #expect(people == before)
    var readings = try Table([Reading(id: 1), Reading(id: 2)])
    expectRefusal(.invalidValue) { try readings.updateAll { $0.id += 1 } }
    #expect(readings.map(\.id) == [1, 2])
  }
}
