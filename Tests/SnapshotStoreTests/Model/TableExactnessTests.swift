import Testing

@testable import SnapshotStore
@testable import TestSupport

/// The stored record is the given one, bit by bit, also where `==` sees no difference.
struct TableExactnessTests {
  static let composed = "caf\u{E9}"
  static let decomposed = "cafe\u{301}"

  private static func scalars(_ text: String?) -> [UInt32] { text?.unicodeScalars.map(\.value) ?? [] }

  @Test func aTextInAnotherNormalisationIsStored() throws {
    var table = try Table([Person(id: 1, email: Self.composed)])
    let before = table
    #expect(try table.upsert(Person(id: 1, email: Self.decomposed)) == Person(id: 1, email: Self.composed))
    #expect(Self.scalars(table[1]?.email) == Self.scalars(Self.decomposed))
    #expect(Self.scalars(before[1]?.email) == Self.scalars(Self.composed))
    // The stored record changes, although a change set does not show it.
    #expect(!table.isIdentical(to: before))
    #expect(table.changes(from: before) == [])
    #expect(table == before)

    try table.update(1) { $0.email = Self.composed }
    #expect(Self.scalars(table[1]?.email) == Self.scalars(Self.composed))
    #expect(table.invariantViolations() == [])
  }

  @Test func anIDInAnotherNormalisationIsStored() throws {
    var table = try Table([Word(id: "a"), Word(id: Self.composed), Word(id: "z")])
    try table.upsert(Word(id: Self.decomposed))
    #expect(table.count == 3)
    #expect(Self.scalars(table[Self.composed]?.id) == Self.scalars(Self.decomposed))
    #expect(Self.scalars(table.ids[1]) == Self.scalars(Self.decomposed))
    expectRefusal(.idTaken) { try table.insert(Word(id: Self.composed)) }
    try table.update(Self.decomposed) { $0 = Word(id: Self.composed, count: 3) }
    #expect(Self.scalars(table.ids[1]) == Self.scalars(Self.composed))
    #expect(table.invariantViolations() == [])
  }

  @Test func negativeZeroIsStored() throws {
    var table = try Table([Person(id: 1, age: 0.0)])
    try table.upsert(Person(id: 1, age: -0.0))
    #expect(table[1]?.age?.sign == .minus)
    #expect(table.records(in: Person.byAge, at: 0.0).map(\.id) == [1])
    #expect(table.invariantViolations() == [])
  }

  /// Unique keys are compared as Swift compares texts: two normalisations of one name are one name.
  @Test func uniqueKeysDisregardNormalisation() throws {
    var table = try Table([Person(id: 1, email: Self.composed)])
    expectRefusal(.uniqueKeyTaken) { try table.insert(Person(id: 2, email: Self.decomposed)) }
    try table.upsert(Person(id: 1, email: Self.decomposed))
    #expect(table.records(in: Person.byEmail, at: Self.composed).map(\.id) == [1])
    #expect(table.remove(1) != nil)
    #expect(Array(table.records(in: Person.byEmail)) == [])
    #expect(table.invariantViolations() == [])
  }
}
