/// A place in a file where properties are read one after another, directly from the bytes.
struct ByteCursor {
  let bytes: UnsafeBufferPointer<UInt8>
  /// The next byte to be read; in a binary list, the index of the record at hand.
  var offset: Int
  /// Where the reader's part ends: no record begins here or later.
  let limit: Int
  /// Whether the next record is not yet begun, and the mark between it and the one before has been read.
  var isAtRecord: Bool
  /// Whether the next thing is the first property of its record.
  var isFirst = true
  /// The longest text that is read, in bytes of UTF-8.
  let textSize: Int
  /// The most elements of an array that are read.
  let elementCount: Int

  /// - Parameters:
  ///   - bytes: the whole file; it must outlive the cursor.
  ///   - offset: where the next record begins, or where one has ended.
  ///   - limit: no record that begins at or after this offset is read.
  ///   - limits: what is beyond them is left to `Codable`, so that it is refused there.
  init(_ bytes: UnsafeBufferPointer<UInt8>, offset: Int, limit: Int, isAtRecord: Bool, _ limits: ReadLimits) {
    self.bytes = bytes
    self.offset = offset
    self.limit = limit
    self.isAtRecord = isAtRecord
    textSize = limits.textSize
    elementCount = limits.elementCount
  }

  /// Steps over a byte, if it is the next one.
  mutating func skip(_ byte: UInt8) -> Bool {
    guard offset < bytes.count, bytes[offset] == byte else { return false }
    offset += 1
    return true
  }

  /// Steps over a text, if it is what comes next.
  @inline(__always)
  mutating func skip(_ text: StaticString) -> Bool {
    guard ByteText.isNext(text, bytes, at: offset) else { return false }
    offset += text.utf8CodeUnitCount
    return true
  }
}

/// A record is not in the form in which it would have been written, and is left to `Codable`.
public struct RecordMismatch: Error {
  /// A mismatch.
  public init() {}
}
