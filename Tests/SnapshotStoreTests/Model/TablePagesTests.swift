import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Pages through an index, compared with a sorted list.
struct TablePagesTests {
  typealias Position = IndexPosition<String, Int>

  private func model(_ people: Table<Person>, _ order: RecordOrder) -> [Position] {
    let places = people.flatMap { person in Set(person.groups).map { Position(key: $0, id: person.id) } }.sorted()
    return order == .ascending ? places : places.reversed()
  }

  @Test(arguments: SeededGenerator.seeds(4)) func fromAnyPlace(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var people = Table<Person>()
    people.changeAtRandom(300, using: &random)
    let keys = ["", "a", "b", "bb", "c", "d", "e"]
    let places = model(people, .ascending)
    func anyPlace() -> Position {
      if Bool.random(using: &random), let place = places.randomElement(using: &random) { return place }
      return Position(key: keys.randomElement(using: &random) ?? "", id: Int.random(in: -1...200, using: &random))
    }
    for _ in 0..<150 {
      let order = Bool.random(using: &random) ? RecordOrder.ascending : .descending
      let limit = [0, 1, 5, 1_000].randomElement(using: &random) ?? 0
      let after = Bool.random(using: &random) ? anyPlace() : nil
      let before = Bool.random(using: &random) ? anyPlace() : nil
      let low = keys.randomElement(using: &random) ?? ""
      func comes(_ a: Position, _ b: Position) -> Bool { order == .ascending ? a < b : b < a }
      let all = model(people, order).filter { place in
        place.id % 3 != 0 && after.map { comes($0, place) } ?? true && before.map { comes(place, $0) } ?? true
      }
      func part(_ places: [Position]) -> [Position] {
        Array(before != nil && after == nil ? places.suffix(limit) : places.prefix(limit))
      }
      let whole = people.page(
        in: Person.byGroup, order: order, after: after, before: before, where: { $0.id % 3 != 0 }, limit: limit)
      #expect(whole.map(\.position) == part(all), "seed \(seed)")
      #expect(whole.allSatisfy { people[$0.record.id]?.groups == $0.record.groups })
      let range = people.page(
        in: Person.byGroup, from: min(low, "c")..."c", order: order, after: after, before: before,
        where: { $0.id % 3 != 0 },
        limit: limit)
      #expect(range.map(\.position) == part(all.filter { $0.key >= min(low, "c") && $0.key <= "c" }), "seed \(seed)")
    }
  }

  /// Forth to the end and back, while the records at the ends of pages are removed.
  @Test func forthAndBack() throws {
    var people = try Table((0..<300).map { Person(id: $0, groups: ["a", "b"]) })
    let all = model(people, .descending)
    var found: [Position] = []
    while case let page = people.page(in: Person.byGroup, order: .descending, after: found.last, limit: 7),
      let last = page.last
    {
      found += page.map(\.position)
      if last.key == "a" { people.remove(last.record.id) }
    }
    #expect(found == all)
    var back: [Position] = []
    while case let page = people.page(
      in: Person.byGroup, order: .descending, before: back.first ?? Position(key: "", id: 0), limit: 7), !page.isEmpty
    {
      back = page.map(\.position) + back
    }
    #expect(back == model(people, .descending) && back.count < all.count)
  }

  /// An app may keep a position from one launch to the next.
  @Test func aPositionIsAValue() throws {
    let position = IndexPosition(key: Date(timeIntervalSinceReferenceDate: 12.5), id: "x")
    let data = try JSONEncoder().encode(position)
    #expect(try JSONDecoder().decode(IndexPosition<Date, String>.self, from: data) == position)
    #expect(
      Set([position, IndexPosition(key: position.key, id: "x"), IndexPosition(key: .distantPast, id: "x")]).count == 2)
  }

  @Test func aKeyThatIsNoKey() throws {
    let pages = try Table((0..<50).map { Article(id: $0, date: $0 % 5 == 0 ? .nan : Double($0 / 3)) })
    let place = IndexPosition(key: Double.nan, id: 7)
    for order in [RecordOrder.ascending, .descending] {
      #expect(pages.page(in: Article.byDate, order: order, limit: 100).count == 40)
      #expect(pages.page(in: Article.byDate, order: order, after: place, limit: 100) == [])
      #expect(pages.page(in: Article.byDate, order: order, before: place, limit: 100) == [])
      let first = pages.page(in: Article.byDate, order: order, limit: 1).first?.position
      #expect(pages.page(in: Article.byDate, order: order, after: first, before: place, limit: 100) == [])
    }
  }

  /// The last page costs no more than the first.
  @Test func aPageCostsWhatItHas() throws {
    let people = try Table((0..<20_000).map { Person(id: $0, groups: ["a"]) })
    var looked = 0
    let page = people.page(
      in: Person.byGroup, after: Position(key: "a", id: 19_900),
      where: { _ in
        looked += 1
        return true
      }, limit: 10)
    #expect(page.map(\.record.id) == Array(19_901...19_910) && looked == 10)
  }
}
