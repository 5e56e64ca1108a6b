import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Ids that are not equal to themselves: every insertion refuses them, and every query accepts them.
struct TableNaNTests {
  static let nans: [Double] = [.nan, -.nan, .signalingNaN, Double(bitPattern: 0x7FF8_0000_0000_0001)]

  private static func table() throws -> Table<Reading> { try Table((0..<100).map { Reading(id: Double($0)) }) }

  @Test func noWayIn() {
    each(Self.nans) { (nan: Double) throws in
      var table = try Self.table()
      let before = table
      expectRefusal(.invalidValue) { try table.insert(Reading(id: nan)) }
      expectRefusal(.invalidValue) { try table.upsert(Reading(id: nan)) }
      expectRefusal(.invalidValue) { try table.update(5) { $0.id = nan } }
      expectRefusal(.invalidValue) { try table.apply([.inserted(Reading(id: nan))]) }
      #expect(table.isIdentical(to: before))
      #expect(table.invariantViolations() == [])
    }
  }

  @Test func questionsFindNothing() {
    each(Self.nans) { (nan: Double) throws in
      var table = try Self.table()
      let before = table
      #expect(table[nan] == nil)
      #expect(!table.contains(nan))
      #expect(table.remove(nan) == nil)
      #expect(table.remove([nan, nan]).isEmpty)
      expectRefusal(.recordNotFound) { try table.update(nan) { $0.value = 1 } }
      #expect(table.isIdentical(to: before))
      #expect(table.invariantViolations() == [])
    }
  }

  /// A record for a moment, as in a log.
  struct Moment: Record {
    var id: Date
  }

  /// Foundation on Linux traps when it describes a date that is not a number, so no message may try. The test runs in a
  /// process of its own, so that the trap does not end all tests.
  @Test func aDateThatIsNoNumberIsRefusedToo() async {
    await #expect(processExitsWith: .success) {
      let nan = Date(timeIntervalSinceReferenceDate: .nan)
      var table = Table<Moment>()
      try table.insert(Moment(id: .distantPast))
      for attempt in 0..<4 {
        do {
          switch attempt {
          case 0: try table.insert(Moment(id: nan))
          case 1: try table.upsert(Moment(id: nan))
          case 2: try table.update(nan) { _ in }
          default: try table.update(.distantPast) { $0.id = nan }
          }
          fatalError("not refused")
        } catch is SnapshotError {}
      }
    }
  }

  /// The other extreme numbers are ordinary ids.
  @Test func infinitiesAndZeros() throws {
    let extremes = [-Double.infinity, -.greatestFiniteMagnitude, -0.0, .leastNonzeroMagnitude, .infinity]
    var table = try Table(extremes.map { Reading(id: $0) })
    #expect(table.ids == extremes)
    // Positive and negative zero are one id; the later spelling is kept.
    #expect(try table.upsert(Reading(id: 0.0, value: 1)) == Reading(id: -0.0))
    #expect(table.count == 5)
    #expect(table[-0.0]?.id.sign == .plus)
    #expect(table.ids[2].sign == .plus)
    #expect(table.invariantViolations() == [])
  }

  // No record has such a key, and a range of it cannot be made.
  @Test func aKeyThatIsNotEqualToItselfFindsNothing() throws {
    let table = try Table([Person(id: 1, age: 30), Person(id: 2, age: .nan), Person(id: 3)])
    #expect(table.records(in: Person.byAge, at: .nan).map(\.id) == [])
    #expect(table.count(in: Person.byAge, at: .nan) == 0)
    #expect(table.records(in: Person.byAge, at: 30).map(\.id) == [1])
    #expect(table.count(in: Person.byAge, at: 30) == 1)
    #expect(table.invariantViolations() == [])
  }
}
