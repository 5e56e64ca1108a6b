import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Ranges that the standard library has no types for, against a look at each record.
struct KeySpanTests {
  struct Stop: Record {
    let id: Int
    var name = ""
    var trip: String?
    var day = 0

    static let byName = Index("name", key: \Stop.name)
    static let byDay = Index("day", each: { (stop: Stop) in [stop.day, stop.day + 1] })
    static let byTrip = Index("trip") { (stop: Stop) in CompoundKey(stop.trip, stop.day) }
    static let indexes = Indexes(byName, byDay, byTrip)
  }

  private func table(_ names: [String]) throws -> Table<Stop> {
    try Table(names.enumerated().map { Stop(id: $0.offset, name: $0.element) })
  }

  @Test func textsAreFoundByTheirBeginning() throws {
    let last = "\u{10FFFF}"
    let pieces = [
      "f", "o", "q", "e", "\u{301}", "\u{323}", "é", "ﬁ", "한", "\u{1112}", "\u{1161}", "👩", "\u{200D}", last, "",
    ]
    var random = SeededGenerator(seed: 7)
    func text() -> String {
      (0..<Int.random(in: 0...4, using: &random)).map { _ in pieces.randomElement(using: &random)! }.joined()
    }
    let table = try table((0..<600).map { _ in text() })
    for _ in 0..<400 {
      let prefix = text()
      let wanted = Array(prefix.precomposedStringWithCanonicalMapping.unicodeScalars)
      let expected = table.filter { $0.name.precomposedStringWithCanonicalMapping.unicodeScalars.starts(with: wanted) }
      let found = table.records(in: Stop.byName, from: .startingWith(prefix))
      #expect(Set(found.map(\.id)) == Set(expected.map(\.id)), "\(prefix.debugDescription)")
      #expect(table.count(in: Stop.byName, from: .startingWith(prefix)) == expected.count)
    }
    #expect(table.count(in: Stop.byName, from: .startingWith("q")) > 0)
  }

  @Test func compoundKeysAreFoundByTheFirst() throws {
    var stops = Table<Stop>()
    for (index, trip) in ["rome", "oslo", nil, "rome", nil, "rom"].enumerated() {
      try stops.insert(Stop(id: index, trip: trip, day: 9 - index))
    }
    #expect(stops.records(in: Stop.byTrip, from: .startingWith(Optional("rome"))).map(\.id) == [3, 0])
    #expect(stops.records(in: Stop.byTrip, from: .startingWith(String?.none)).map(\.id) == [4, 2])
    #expect(stops.records(in: Stop.byTrip, from: .startingWith(Optional("nowhere"))).isEmpty)
    // The error of a unique index shows it.
    #expect("\(CompoundKey(Optional("rome"), 3))" == "rome, 3" && "\(CompoundKey(String?.none, 3))" == "nil, 3")
  }

  @Test func aLowerBoundMayBeOutside() throws {
    var stops = Table<Stop>()
    for day in 1...4 { try stops.insert(Stop(id: day, name: "\(day)", day: day)) }
    #expect(stops.records(in: .above(2)).map(\.id) == [3, 4])
    #expect(stops.records(in: Stop.byName, from: .above("3")).map(\.id) == [4])
    let isAll = stops.count == 4
    #expect(stops.records(in: Stop.byName, from: isAll ? .all() : .above("3")).map(\.id) == [1, 2, 3, 4])
  }

  @Test func recordsAreRemovedByRange() throws {
    var stops = Table<Stop>()
    for day in 1...6 { try stops.insert(Stop(id: day, name: "\(9 - day)", day: day)) }
    // Two of its keys are in the range, and it is removed once.
    #expect(stops.removeAll(in: Stop.byDay, from: 2...3).map(\.id) == [1, 2, 3])
    #expect(stops.removeAll(in: 5...).map(\.id) == [5, 6])
    #expect(stops.map(\.id) == [4] && stops.invariantViolations().isEmpty)
    #expect(stops.removeAll(in: Stop.byName, from: .all()).count == 1 && stops.isEmpty)
  }

  struct Guest: Record {
    let id: Int
    var email: String
    var room = CompoundKeyed()

    struct CompoundKeyed: Codable, Equatable {
      var floor = 1
      var door = "a\u{7}"
    }

    static let byEmail = Index("email", unique: true, key: \Guest.email)
    static let byRoom = Index("room", unique: true) { (guest: Guest) in CompoundKey(guest.room.floor, guest.room.door) }
    static let indexes = Indexes(byEmail, byRoom)
  }

  @Test func theErrorNamesTheKeyThatIsTaken() throws {
    var guests = try Table([Guest(id: 1, email: "a@b.org")])
    func message(_ guest: Guest) -> String {
      do { try guests.insert(guest) } catch { return error.message }
      return ""
    }
    #expect(message(Guest(id: 2, email: "a@b.org")).contains("Guest “2” has the key “a@b.org”, which “1” holds"))
    let other = message(Guest(id: 2, email: "c@b.org"))
    #expect(other.contains("the key “1, a\\u{7}”") && other.hasSuffix("index room"), "\(other)")
    let both = [Guest(id: 1, email: "x"), Guest(id: 2, email: "x", room: .init(floor: 2))]
    #expect { try Table(both) } throws: { "\($0)".contains("the key “x”") }
  }
}
