import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Dates as text are exact, and agree with Foundation where Foundation can show them.
@Suite struct TextDateTests {
  @Test func textIsExact() {
    each(SeededGenerator.seeds(4)) { (seed: UInt64) in
      var generator = SeededGenerator(seed: seed)
      var shown = 0
      var failures: [String] = []
      for _ in 0..<20_000 {
        let seconds = generator.dateSeconds()
        guard let text = TextDate.text(seconds) else {
          let isShowable = TextDate.isInCalendar(seconds) && seconds.bitPattern != (-0.0).bitPattern
          if isShowable { failures.append("\(seconds) has no text") }
          continue
        }
        shown += 1
        if TextDate.seconds(text)?.bitPattern != seconds.bitPattern {
          failures.append("\(seconds) became \(text), which is read as \(String(describing: TextDate.seconds(text)))")
        }
      }
      #expect(failures.prefix(3) == [])
      // Most values must have a text, or this would test little.
      #expect(shown > 12_000)
    }
  }

  @Test(arguments: SeededGenerator.seeds(2))
  func everyBitPatternNearZeroIsExact(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      // The exponent is drawn evenly, so that subnormal fractions occur as often as large ones.
      let seconds = Double(bitPattern: generator.next() % 0x4100_0000_0000_0000) * (generator.chance(2) ? 1 : -1)
      guard let text = TextDate.text(seconds) else { continue }
      #expect(TextDate.seconds(text)?.bitPattern == seconds.bitPattern, "\(seconds)")
    }
  }

  @Test(arguments: SeededGenerator.seeds(3))
  func wholeSecondsAgreeWithFoundation(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      // 1900-01-01 to 2100-12-31.
      let seconds = Double(Int.random(in: -3_187_296_000...3_155_759_999, using: &generator))
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      let text = try #require(TextDate.text(seconds))
      #expect(text == date.formatted(.iso8601))
      #expect(try Date(text, strategy: .iso8601) == date)
    }
  }

  @Test func knownDates() {
    each([
      (0.0, "2001-01-01T00:00:00Z"), (-1, "2000-12-31T23:59:59Z"), (0.5, "2001-01-01T00:00:00.5Z"),
      (-0.25, "2000-12-31T23:59:59.75Z"), (0.1, "2001-01-01T00:00:00.1Z"), (-978_307_200, "1970-01-01T00:00:00Z"),
      (-63_113_904_000, "0001-01-01T00:00:00Z"), (252_423_993_599, "9999-12-31T23:59:59Z"),
      (252_423_993_599.99997, "9999-12-31T23:59:59.99997Z"), (-26_438_401, "2000-02-29T23:59:59Z"),
      (100_000_000.000_1, "2004-03-03T09:46:40.0001Z"), (1e-7, "2001-01-01T00:00:00.0000001Z"),
    ]) { (seconds: Double, text: String) in
      #expect(TextDate.text(seconds) == text)
      #expect(TextDate.seconds(text) == seconds)
    }
  }

  @Test func noTextForWhatTheCalendarCannotShow() {
    each([
      -0.0, .nan, .infinity, -.infinity, 252_423_993_600, (-63_113_904_000.0).nextDown, -63_114_076_800, 1e15, -1e300,
      Double.greatestFiniteMagnitude,
    ]) { (seconds: Double) in
      #expect(TextDate.text(seconds) == nil)
    }
  }

  @Test func otherToolsFormsAreRead() {
    each([
      ("2001-01-01T02:00:00+02:00", 0.0), ("2000-12-31T18:30:00-05:30", 0), ("2001-01-01T00:00:00.000Z", 0),
      ("2001-01-01T00:00:00.50Z", 0.5), ("2000-12-31T23:59:59.9Z", -0.1), ("2001-01-01T00:00:00+00:00", 0),
    ]) { (text: String, seconds: Double) in
      #expect(TextDate.seconds(text) == seconds)
    }
  }

  @Test func impossibleDatesAreRefused() {
    each([
      "", "2001", "2001-01-01", "2001-01-01T00:00:00", "2001-01-01 00:00:00Z", "2001-01-01t00:00:00z",
      "2001-13-01T00:00:00Z",
      "2001-00-01T00:00:00Z", "2001-01-00T00:00:00Z", "2001-01-32T00:00:00Z", "2001-04-31T00:00:00Z",
      "2001-02-29T00:00:00Z",
      "2000-02-30T00:00:00Z", "1900-02-29T00:00:00Z", "2001-01-01T24:00:00Z", "2001-01-01T00:60:00Z",
      "2001-01-01T00:00:60Z",
      "0000-01-01T00:00:00Z", "-001-01-01T00:00:00Z", "10000-01-01T00:00:00Z", "2001-1-1T0:0:0Z",
      "2001-01-01T00:00:00.Z",
      "2001-01-01T00:00:00,5Z", "2001-01-01T00:00:00ZZ", "2001-01-01T00:00:00+2400", "2001-01-01T00:00:00+24:00",
      "2001-01-01T00:00:00+02:60", "2001-01-01T00:00:00+02", " 2001-01-01T00:00:00Z", "2001-01-01T00:00:00Z ",
      "２００１-01-01T00:00:00Z", "2001-01-01T00:00:00.5e1Z", "2001-01-01T00:00:00.-5Z",
    ]) { (text: String) in
      #expect(TextDate.seconds(text) == nil)
    }
  }
}
