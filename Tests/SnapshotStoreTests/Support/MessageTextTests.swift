import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Texts of files in messages: no control characters, and never very long.
@Suite struct MessageTextTests {
  @Test func whatATerminalCouldActOnIsShownByItsNumber() {
    let cases = [
      ("\u{1B}[31m", "\\u{1B}[31m"), ("\u{202E}x\u{2066}", "\\u{202E}x\\u{2066}"), ("\u{9B}", "\\u{9B}"),
      ("\u{E000}\u{F8FF}", "\\u{E000}\\u{F8FF}"), ("\u{378}", "\\u{378}"), ("\u{10FFFF}", "\\u{10FFFF}"),
      ("a\u{2028}\n", "a\\u{2028}\\u{A}"), ("é 日本 😀", "é 日本 😀"),
    ]
    for (text, shown) in cases { #expect(text.escapedForMessage() == shown) }
  }

  @Test func anErrorWithoutAPathHasItsLine() throws {
    var lines = try CSVLines(reading: Array("id,copies\n1,two\n".utf8))
    let fields = try #require(try lines.next())
    let error = lines.error(.invalidValue, "expected a number", at: fields[1], dataPath: "copies")
    #expect("\(error)" == "line 2, column 3: copies: expected a number")
    #expect("\(error.at(path: "a.csv"))" == "a.csv:2:3 (byte 12): copies: expected a number")
    let binary = SnapshotError(.malformed, "no such object", position: .init(offset: 98))
    #expect("\(binary)" == "byte 98: no such object")
  }

  @Test func longTextsAreCut() {
    #expect(String(repeating: "x", count: 300).escapedForMessage().count == 201)
    #expect("abc".quotedForMessage(limit: 2) == "“ab…”")
  }
}
