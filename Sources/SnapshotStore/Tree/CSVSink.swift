/// Comma-separated values under construction (RFC 4180, UTF-8), for exports to spreadsheets and other programs.
///
/// Lines end with CRLF. A text that a spreadsheet would take for a formula gets an apostrophe before it, and
/// ``text(ofField:)`` removes it again:
///
/// The sink copies no value of the model. Each call is O(bytes that it writes), amortised.
package struct CSVSink: ~Copyable {
  private var sink: ByteSink
  private var isInLine = false
  /// The offset of the line.
  private var start = 0

  /// An empty text.
  ///
  /// - Parameter capacity: the number of bytes to allocate at once.
  package init(capacity: Int = 4096) { sink = ByteSink(capacity: capacity) }

  /// Appends a field with a text of any content.
  package mutating func append(_ text: String) {
    separate()
    let isDefused = FormulaGuard.defuses(text)
    var text = text
    text.withUTF8 { utf8 in
      let isQuoted = utf8.first == 0x20 || utf8.last == 0x20 || utf8.contains { Self.needsQuotes($0) }
      if isQuoted { sink.append("\"") }
      if isDefused { sink.append("'") }
      var start = 0
      while isQuoted, let quote = utf8[start...].firstIndex(of: UInt8(ascii: "\"")) {
        sink.append(UnsafeBufferPointer(rebasing: utf8[start...quote]))
        sink.append("\"")
        start = quote + 1
      }
      sink.append(UnsafeBufferPointer(rebasing: utf8[start...]))
      if isQuoted { sink.append("\"") }
    }
  }

  /// Appends a field without quotes and without an apostrophe: a number, a date, a title of the program's own.
  package mutating func append(verbatim text: String) {
    separate()
    sink.append(contentsOf: text)
  }

  /// Ends the line.
  ///
  /// A single field without a value is quoted: readers skip blank lines.
  package mutating func endLine() {
    if isInLine, sink.count == start { sink.append("\"\"") }
    sink.append("\r\n")
    isInLine = false
    start = sink.count
  }

  /// The text, in UTF-8. O(bytes).
  package consuming func finish() -> [UInt8] { Array(sink.bytes) }

  /// The text that `append` wrote as a field, from the content of the field without its quotes. O(length).
  package static func text(ofField field: String) -> String { FormulaGuard.restored(field) }

  private mutating func separate() {
    if isInLine { sink.append(",") }
    isInLine = true
  }

  /// The semicolon and the tab separate fields in spreadsheets that are set up for them or guess so.
  private static func needsQuotes(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "\n"),
      UInt8(ascii: "\r"):
      true
    default: false
    }
  }
}
