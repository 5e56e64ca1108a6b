/// A position in CSV text, and the grammar of RFC 4180. O(bytes).
///
/// Fields are separated by commas. A field with a comma, a line break or a quotation mark is quoted, and its quotation
/// marks are doubled. Lines end with CRLF or LF. A byte order mark may stand at the very beginning. Blank lines are
/// skipped. Everything else is an error.
struct CSVScanner {
  /// A field, unquoted.
  struct Field {
    let text: String
    /// Whether it stands in quotation marks.
    let isQuoted: Bool
    /// The offset of the field in the file, including its quotation mark.
    let offset: Int
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private let limits: ReadLimits
  private(set) var offset: Int
  private(set) var rowCount: Int
  /// The line of `offset`, from 1.
  private(set) var line: Int

  /// - Parameter bytes: a whole file of valid UTF-8.
  init(_ bytes: UnsafeBufferPointer<UInt8>, limits: ReadLimits) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    self.init(bytes, limits: limits, from: bytes.starts(with: mark) ? mark.count : 0, line: 1, rowCount: 0)
  }

  /// The same at a later place of the file.
  init(_ bytes: UnsafeBufferPointer<UInt8>, limits: ReadLimits, from offset: Int, line: Int, rowCount: Int) {
    self.bytes = bytes
    self.limits = limits
    self.offset = offset
    self.line = line
    self.rowCount = rowCount
  }

  /// The fields of the next line that is not blank; nil at the end of the file. To learn the line's number first, call
  /// `skipBlankLines`.
  mutating func row() throws(SnapshotError) -> [Field]? {
    guard try skipBlankLines() else { return nil }
    if rowCount >= limits.elementCount { throw tooMany() }
    rowCount += 1
    var fields: [Field] = []
    repeat {
      if fields.count >= limits.elementCount { throw tooMany() }
      fields.append(try field())
    } while skip(UInt8(ascii: ","))
    guard try skipLineBreak() || offset == bytes.count else {
      throw failure("expected a comma or the end of the line after the quotation mark", at: offset)
    }
    return fields
  }

  /// Moves to the next line that is not blank; false if there is none.
  mutating func skipBlankLines() throws(SnapshotError) -> Bool {
    while try skipLineBreak() {}
    return offset < bytes.count
  }

  func failure(
    _ message: String, at offset: Int, _ code: SnapshotError.Code = .malformed, dataPath: String? = nil
  ) -> SnapshotError {
    SnapshotError(
      code, message, position: SnapshotError.Position(offset: offset, inText: Array(bytes)), dataPath: dataPath)
  }

  private func tooMany() -> SnapshotError {
    failure("more than \(limits.elementCount.counted("element")), which is the limit", at: offset, .limitExceeded)
  }

  // MARK: Parts

  private mutating func field() throws(SnapshotError) -> Field {
    let start = offset
    let isQuoted = offset < bytes.count && bytes[offset] == Self.quote
    let text = isQuoted ? try quotedText() : try plainText()
    if text.utf8.count > limits.textSize {
      let message = "the field is longer than the limit of \(limits.textSize.counted("byte"))"
      throw failure(message, at: start, .limitExceeded)
    }
    return Field(text: text, isQuoted: isQuoted, offset: start)
  }

  private mutating func plainText() throws(SnapshotError) -> String {
    let start = offset
    scan: while offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: ","), UInt8(ascii: "\n"), UInt8(ascii: "\r"): break scan
      case Self.quote:
        let message = "a quotation mark within an unquoted field; quote the field, and double its quotation marks"
        throw failure(message, at: offset)
      default: offset += 1
      }
    }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  /// The text up to the closing quotation mark. Doubled quotation marks do not close it.
  private mutating func quotedText() throws(SnapshotError) -> String {
    let opening = offset
    var unquoted: [UInt8] = []
    offset += 1
    while true {
      let start = offset
      while offset < bytes.count, bytes[offset] != Self.quote {
        if bytes[offset] == UInt8(ascii: "\n") { line += 1 }
        offset += 1
      }
      guard offset < bytes.count else {
        throw failure("the quotation mark that opens this field is never closed", at: opening)
      }
      let part = bytes[start..<offset]
      offset += 1
      guard skip(Self.quote) else {
        // Most fields have a single part.
        if unquoted.isEmpty { return String(decoding: part, as: UTF8.self) }
        return String(decoding: unquoted + part, as: UTF8.self)
      }
      unquoted += part
      unquoted.append(Self.quote)
    }
  }

  private mutating func skip(_ byte: UInt8) -> Bool {
    guard offset < bytes.count, bytes[offset] == byte else { return false }
    offset += 1
    return true
  }

  private mutating func skipLineBreak() throws(SnapshotError) -> Bool {
    let start = offset
    let hasReturn = skip(UInt8(ascii: "\r"))
    guard skip(UInt8(ascii: "\n")) else {
      if hasReturn { throw failure("a carriage return without a line feed; lines end with LF or CRLF", at: start) }
      return false
    }
    line += 1
    return true
  }

  private static let quote = UInt8(ascii: "\"")
}
