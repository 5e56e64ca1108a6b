import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// The grammar of RFC 4180, and the places of faults.
struct CSVScannerTests {
  private func rows(_ text: String, limits: ReadLimits = ReadLimits()) throws(SnapshotError) -> [[String]] {
    try Array(text.utf8).withUnsafeBufferPointer { bytes throws(SnapshotError) in
      var scanner = CSVScanner(bytes, limits: limits)
      var rows: [[String]] = []
      while let row = try scanner.row() { rows.append(row.map(\.text)) }
      return rows
    }
  }

  @Test func whatIsRead() {
    each([
      ("", []), ("\n\r\n\n", []), ("a", [["a"]]), ("a,b", [["a", "b"]]), (",", [["", ""]]), ("a,", [["a", ""]]),
      ("a\nb", [["a"], ["b"]]), ("a\r\nb\r\n", [["a"], ["b"]]), ("a\n\n\r\nb\n", [["a"], ["b"]]),
      ("\u{FEFF}a,b", [["a", "b"]]),
      ("\u{FEFF}\"a\"", [["a"]]), ("\"\"", [[""]]), ("\"\",\"\"", [["", ""]]), ("\"a\"\"b\"", [["a\"b"]]),
      ("\"\"\"\"", [["\""]]), ("\"\"\"a\"\"\",b", [["\"a\"", "b"]]),
      ("\"a,b\nc\r\nd\re\",f", [["a,b\nc\r\nd\re", "f"]]),
      (" a , b ", [[" a ", " b "]]), ("é,日本,🎈\n", [["é", "日本", "🎈"]]),
      ("a,\"b\"\r\n\"c\",d", [["a", "b"], ["c", "d"]]),
      ("\u{0},\u{1}", [["\u{0}", "\u{1}"]]), ("'a'", [["'a'"]]), ("a;b", [["a;b"]]),
    ]) { (text: String, expected: [[String]]) throws in
      #expect(try rows(text) == expected)
    }
  }

  @Test func whatIsRefused() {
    each([
      ("a\"b", 1, 2), ("a,b \"c\"", 1, 5), ("x\na,\"b\"c", 2, 6), ("\"a\" ,b", 1, 4), ("\"a", 1, 1),
      ("x\n\"a\n\n\"\"", 2, 1),
      ("a\rb", 1, 2), ("a\nb\r", 2, 2), ("\r\r\n", 1, 1), ("\"a\"\r", 1, 4), ("\"\"\"", 1, 1), ("a,\"\n", 1, 3),
    ]) { (text: String, line: Int, column: Int) throws in
      let error = #expect(throws: SnapshotError.self) { try rows(text) }
      #expect(error?.code == .malformed)
      #expect(error?.position?.line == line)
      #expect(error?.position?.column == column)
    }
  }

  @Test func theLimitsAreKept() throws {
    let limits = ReadLimits(textSize: 3, elementCount: 2)
    #expect(try rows("abc,\"d\"\"e\"\na,b", limits: limits) == [["abc", "d\"e"], ["a", "b"]])
    for text in ["abcd", "\"abcd\"", "a,b,c", "a\nb\nc"] {
      let error = #expect(throws: SnapshotError.self) { try rows(text, limits: limits) }
      #expect(error?.code == .limitExceeded)
    }
  }

  @Test func linesAreCounted() throws {
    try Array("a\n\n\"b\nc\n\"\r\n\nd".utf8).withUnsafeBufferPointer { bytes in
      var scanner = CSVScanner(bytes, limits: ReadLimits())
      var lines: [Int] = []
      while try scanner.skipBlankLines() {
        lines.append(scanner.line)
        _ = try scanner.row()
      }
      #expect(lines == [1, 3, 7])
    }
  }
}
