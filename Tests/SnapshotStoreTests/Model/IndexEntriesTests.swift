import Testing

@testable import SnapshotStore
@testable import TestSupport

/// The entries of an index, compared with a newly sorted list.
struct IndexEntriesTests {
  private struct Place: Equatable, Comparable {
    let key: String
    let id: Int
    static func < (a: Place, b: Place) -> Bool { (a.key, a.id) < (b.key, b.id) }
  }

  private func groups(_ people: Table<Person>) -> [Place] {
    people.flatMap { person in Set(person.groups).map { Place(key: $0, id: person.id) } }.sorted()
  }

  private func places(_ entries: Table<Person>.IndexEntries<String>) -> [Place] {
    entries.map { Place(key: $0.key, id: $0.id) }
  }

  @Test func fromAnyPlace() {
    each(SeededGenerator.seeds(4)) { (seed: UInt64) in
      var random = SeededGenerator(seed: seed)
      var people = Table<Person>()
      for _ in 0..<4 {
        people.changeAtRandom(200, using: &random)
        let model = groups(people)
        #expect(places(people.entries(in: Person.byGroup)) == model)
        for key in ["", "a", "b", "bb", "c", "d", "e"] {
          #expect(places(people.entries(in: Person.byGroup, from: key...)) == model.filter { $0.key >= key })
          #expect(people.count(in: Person.byGroup, from: key...) == model.count { $0.key >= key })
          #expect(
            people.count(in: Person.byGroup, from: key...(key + "b")) == model.count { key...(key + "b") ~= $0.key })
          #expect(people.count(in: Person.byGroup, from: ..<key) == model.count { $0.key < key })
          let id = Int.random(in: -1...200, using: &random)
          let after = places(people.entries(in: Person.byGroup, after: IndexPosition(key: key, id: id)))
          #expect(after == model.filter { $0 > Place(key: key, id: id) })
        }
      }
    }
  }

  /// The last record of each page is removed before the next page is read.
  @Test func pagesOfOneKey() {
    each([1, 7, 32, 100]) { (size: Int) throws in
      var people = try Table((0..<300).map { Person(id: $0, groups: ["a", "b"]) })
      let model = groups(people)
      var found: [Place] = []
      var page = Array(places(people.entries(in: Person.byGroup)).prefix(size))
      while let last = page.last {
        found += page
        if last.key == "b" { people.remove(last.id) }
        page = Array(
          places(people.entries(in: Person.byGroup, after: IndexPosition(key: last.key, id: last.id))).prefix(size))
      }
      #expect(found == model)
    }
  }

  @Test func theyAreASnapshot() throws {
    var people = try Table((0..<100).map { Person(id: $0, groups: ["a"]) })
    let entries = people.entries(in: Person.byGroup, from: "a"...)
    var iterator = entries.makeIterator()
    _ = iterator.next()
    people.removeAll()
    #expect(places(entries).map(\.id) == Array(0..<100))
    #expect(iterator.next()?.id == 1)
    #expect(places(people.entries(in: Person.byGroup)) == [])
  }
}
