import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// The helpers for readers of text formats outside the library.
struct PublicTextTests {
  @Test(arguments: SeededGenerator.seeds(3)) func datesGoRound(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let date = Date(
        timeIntervalSinceReferenceDate: Double.random(in: -63_113_904_000..<252_423_993_600, using: &random))
      #expect(TextDate.date(from: try #require(TextDate.text(of: date))) == date)
    }
  }

  @Test func endsOfTheCalendar() {
    for seconds in [(-63_113_904_000.0).nextDown, 252_423_993_600, .nan, .infinity, -0.0] {
      #expect(TextDate.text(of: Date(timeIntervalSinceReferenceDate: seconds)) == nil)
    }
    #expect(TextDate.text(of: Date(timeIntervalSinceReferenceDate: -63_113_904_000)) == "0001-01-01T00:00:00Z")
    #expect(TextDate.date(from: "9999-12-31T23:59:59Z"[...])?.timeIntervalSinceReferenceDate == 252_423_993_599)
    for text in ["", "2001-02-29T00:00:00Z", "10000-01-01T00:00:00Z", "2001-01-01"] {
      #expect(TextDate.date(from: text) == nil)
    }
  }

  @Test func textIsRequired() throws {
    try ReadLimits().requireText(Array("\u{FEFF}é\n".utf8))
    try ReadLimits(fileSize: 0).requireText([])
    expectRefusal(.tooLarge) { try ReadLimits(fileSize: 1).requireText([0x61, 0x62]) }
    for wrong: [UInt8] in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xC3]] {
      let error = expectRefusal(.malformed) { try ReadLimits().requireText(Array("a\nbc".utf8) + wrong) }
      #expect(error?.position == SnapshotError.Position(offset: 4, line: 2, column: 3))
    }
  }

  @Test func quoted() {
    #expect(SnapshotError.quoted("a\n\u{202E}é") == "“a\\u{A}\\u{202E}é”")
    #expect(SnapshotError.quoted("abcdef", limit: 3) == "“abc…”")
    #expect(SnapshotError.quoted("abc"[...], limit: 3) == "“abc”")
  }
}
