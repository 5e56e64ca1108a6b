/// The bytes of a file in a format that was recognised: what readers read, and what errors point into.
///
/// If the format is text, the bytes are known to be UTF-8.
struct SourceText: Sendable {
  let bytes: [UInt8]
  private(set) var format: FileFormat
  /// Whether errors state line and column, which takes as long as the text before them is.
  private var countsLines = true

  /// Recognises the format.
  init(recognizing bytes: [UInt8], threads: Int = 1) throws(SnapshotError) {
    try self.init(bytes, format: try FileFormat.recognize(bytes), threads: threads)
    if format == .json, NDJSONReader.recognizes(self) { format = .ndjson }
  }

  init(_ bytes: [UInt8], format: FileFormat, threads: Int = 1) throws(SnapshotError) {
    self.bytes = bytes
    self.format = format
    if format.isText, let offset = UTF8Check.firstInvalidOffset(in: bytes, threads: threads) {
      throw SnapshotError(.malformed, "the text is not valid UTF-8", position: position(offset))
    }
  }

  /// Bytes that are known to be UTF-8 if they are text; errors state offsets only.
  init(_ bytes: [UInt8], uncheckedFormat format: FileFormat) {
    self.bytes = bytes
    self.format = format
    countsLines = false
  }

  func position(_ offset: Int) -> FilePosition {
    format.isText && countsLines ? FilePosition(offset: offset, inText: bytes) : FilePosition(offset: offset)
  }
}
