import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Values on lines of their own, with the numbers of the lines.
struct UntypedLinesTests {
  private func read(_ lines: inout UntypedLines) throws -> [String] {
    var found: [String] = []
    while let value = try lines.next() { found.append("\(lines.line) \(UntypedDocumentTests.shown(value))") }
    return found
  }

  @Test(arguments: ["\n", "\r\n"], ["", "\u{FEFF}"]) func blankLines(end: String, mark: String) throws {
    let text = mark + ["", "{\"a\":1}", "  ", "", "[2]", " 3 ", "", ""].joined(separator: end)
    var lines = try UntypedLines(reading: Array(text.utf8))
    #expect(try read(&lines) == ["2 {\"a\":1}", "5 [2]", "6 3"])
    #expect(try lines.next().map { UntypedDocumentTests.shown($0) } == nil)
  }

  @Test(arguments: ["", "\n", "\n\n", " ", "\r\n"]) func nothing(text: String) throws {
    var lines = try UntypedLines(reading: Array(text.utf8))
    #expect(try read(&lines) == [])
  }

  @Test func anErrorInLine3() {
    each(["{\"a\":}", "{\"a\":1,\"a\":2}", "[1,\n2]", "1 2", "{}{}", "nul"]) { (wrong: String) throws in
      var lines = try UntypedLines(reading: Array("{}\n{}\n\(wrong)\n{}".utf8))
      _ = (try lines.next(), try lines.next())
      let error = #expect(throws: SnapshotError.self) { try lines.next() }
      #expect(error?.position?.line == 3)
      #expect(error?.code == (wrong.hasSuffix("2}") ? .duplicate : .malformed))
      #expect(try lines.next().map { UntypedDocumentTests.shown($0) } == nil)
    }
  }

  @Test func theNumberOfValuesIsLimited() throws {
    var lines = try UntypedLines(reading: Array("1\n2\n3\n".utf8), limits: ReadLimits(elementCount: 2))
    _ = (try lines.next(), try lines.next())
    expectRefusal(.limitExceeded) { _ = try lines.next() }
    expectRefusal(.malformed) { _ = try UntypedLines(reading: [0x31, 0x0A, 0xFF]) }
    expectRefusal(.tooLarge) { _ = try UntypedLines(reading: [0x31, 0x0A], limits: ReadLimits(fileSize: 1)) }
  }
}
