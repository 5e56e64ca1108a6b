/// The bytes of a file: what readers read, and what errors point into.
///
/// If they are text, they are known to be UTF-8.
struct SourceText: Sendable {
  let bytes: [UInt8]
  /// Whether the format is text.
  let isText: Bool
  /// Whether errors state line and column, which takes as long as the text before them is.
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

  /// Bytes that are known to be UTF-8 if they are text. Errors have an offset, but neither line nor column, because
  /// counting lines anew for each of very many errors would take for ever.
  init(unchecked bytes: [UInt8], isText: Bool) {
    self.bytes = bytes
    self.isText = isText
    countsLines = false
  }

  func position(_ offset: Int) -> FilePosition {
    countsLines ? FilePosition(offset: offset, inText: bytes) : FilePosition(offset: offset)
  }
}
