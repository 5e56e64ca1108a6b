import Foundation
import SnapshotStore
import Testing

@testable import TestSupport

/// Dates at the limits of ISO 8601 with four digits. From year 1 to year 9999 they are text, beyond they are numbers.
/// All are read back bit by bit.
@Suite struct CalendarEdgeTests {
  struct Event: Record {
    let id: Int
    var date: Date
  }

  struct Diary: Model {
    var events = Table<Event>()
    static let schema = Schema<Diary>("diary", version: 1, Field("events", \.events))
  }

  /// 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z, in seconds since 2001, as in Python's `datetime`.
  private static let edges: [TimeInterval] = [-63_113_904_000, 252_423_993_599]

  @Test func datesAroundTheEdgesComeBack() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      var dates = [Date.distantPast, Date.distantFuture].map(\.timeIntervalSinceReferenceDate)
      for edge in Self.edges {
        for hours in -72...72 { dates += [edge + Double(hours) * 3600, edge + Double(hours) * 3600 + 0.123456] }
      }
      let events = dates.enumerated().map { Event(id: $0, date: Date(timeIntervalSinceReferenceDate: $1)) }
      var diary = Diary()
      diary.events = try Table(events)
      let decoded = try SnapshotFile.decode(Diary.self, from: try SnapshotFile.encode(diary, as: format))
      let back = decoded.events.map(\.date.timeIntervalSinceReferenceDate.bitPattern)
      #expect(back == dates.map(\.bitPattern))
      #expect(decoded.allViolations() == [])
    }
  }

  @Test func whatIsBeyondTheEdgesIsANumberOfSeconds() throws {
    func json(_ seconds: TimeInterval) throws -> String {
      try SnapshotFile.json(of: Date(timeIntervalSinceReferenceDate: seconds))
    }
    #expect(try json(Self.edges[0]) == "\"0001-01-01T00:00:00Z\"")
    #expect(try json(Self.edges[1]) == "\"9999-12-31T23:59:59Z\"")
    #expect(try json(Self.edges[0] - 1) == "\"2001-01-01T00:00:00Z-63113904001.0\"")
    #expect(try json(Self.edges[1] + 1) == "\"2001-01-01T00:00:00Z+252423993600.0\"")
  }

  /// A number within the calendar probably counts from another year, most likely 1970.
  @Test func aNumberIsNoDateWithinTheCalendar() throws {
    let text = """
      {"snapshot":{"schema":"diary","version":1},"events":[{"id":1,"date":1795224000}]}
      """
    let error = #expect(throws: SnapshotError.self) { try SnapshotFile.decode(Diary.self, from: Array(text.utf8)) }
    #expect(error?.code == .invalidValue)
    #expect(error?.dataPath == "events[0].date")
  }
}
