/// A position in a file from which properties are read one after another, directly from the bytes.
struct ByteCursor {
  let bytes: UnsafeBufferPointer<UInt8>
  /// The next byte to read. In a binary list, the index of the current record.
  var offset: Int
  /// The end of this reader's part: no record begins here or later.
  let limit: Int
  /// Whether the cursor stands before a record, behind the separator that precedes it.
  var isAtRecord: Bool
  /// Whether the records of a table in JSON are on one line, and not each on its own.
  let isOneLine: Bool
  /// Whether the next property is the first of its record.
  var isFirst = true
  /// The longest text that this cursor reads, in bytes of UTF-8.
  let textSize: Int
  /// The most elements of an array that this cursor reads.
  let elementCount: Int

  /// - Parameters:
  ///   - bytes: the whole file; it must outlive the cursor.
  ///   - offset: the beginning of the next record, or the end of the previous one.
  ///   - limit: no record that begins at or after this offset is read.
  ///   - limits: the cursor leaves values beyond them to `Codable`, which refuses them.
  ///   - isOneLine: whether the records of a table in JSON are on one line.
  init(
    _ bytes: UnsafeBufferPointer<UInt8>, offset: Int, limit: Int, isAtRecord: Bool, _ limits: ReadLimits,
    isOneLine: Bool = false
  ) {
    self.bytes = bytes
    self.offset = offset
    self.limit = limit
    self.isAtRecord = isAtRecord
    self.isOneLine = isOneLine
    textSize = limits.textSize
    elementCount = limits.elementCount
  }

  /// Skips a byte if it is next.
  mutating func skip(_ byte: UInt8) -> Bool {
    guard offset < bytes.count, bytes[offset] == byte else { return false }
    offset += 1
    return true
  }

  /// Skips a text if it is next.
  @inline(__always)
  mutating func skip(_ text: StaticString) -> Bool {
    guard ByteText.isNext(text, bytes, at: offset) else { return false }
    offset += text.utf8CodeUnitCount
    return true
  }
}

/// Thrown for a record in another form than this library writes.
struct NeedsFallback: Error {}
