/// The bytes of a file. Readers read them, and errors point into them.
///
/// Text is known to be valid UTF-8.
struct SourceText: Sendable {
  let bytes: [UInt8]
  /// Whether the format is text.
  let isText: Bool
  /// Whether errors state line and column. That takes time in proportion to the text before the error.
  private let countsLines: Bool

  /// - Throws: `malformed` for text that is not UTF-8.
  init(_ bytes: [UInt8], isText: Bool, threads: Int = 1) throws(SnapshotError) {
    self.bytes = bytes
    self.isText = isText
    countsLines = isText
    if isText, let offset = UTF8Check.firstInvalidOffset(in: bytes, threads: threads) {
      throw SnapshotError(.malformed, "the text is not valid UTF-8", position: position(offset))
    }
  }

  /// Bytes that are known to be UTF-8 if they are text. Errors have an offset but no line and column. Salvage has very
  /// many errors, and counting the lines for each would take too long.
  init(unchecked bytes: [UInt8], isText: Bool) {
    self.bytes = bytes
    self.isText = isText
    countsLines = false
  }

  /// Text of which the caller reads only what it has found to be UTF-8.
  init(checkedInParts bytes: [UInt8]) {
    self.bytes = bytes
    isText = true
    countsLines = true
  }

  /// Whether a text occurs anywhere. O(bytes).
  func contains(_ text: String) -> Bool { bytes.firstRange(of: Array(text.utf8)) != nil }

  func position(_ offset: Int) -> SnapshotError.Position {
    countsLines ? SnapshotError.Position(offset: offset, inText: bytes) : SnapshotError.Position(offset: offset)
  }
}
