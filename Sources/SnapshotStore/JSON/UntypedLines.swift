/// The values of newline-delimited JSON, one after the other: for imports from other programs.
///
/// Each value stands on its own line. Blank lines are skipped. As with ``UntypedDocument``, the file is read strictly,
/// and the importer interprets the values:
///
/// Only one value at a time is in memory, besides the bytes. Reading all values is O(bytes), including the line
/// numbers.
package struct UntypedLines: Sendable {
  /// The line of the last value that ``next()`` returned, from 1.
  package private(set) var line = 1

  let source: SourceText
  private let limits: ReadLimits
  private var keys = KeyCache()
  /// The place where the next value begins; nil at the beginning.
  private var offset: Int?
  private var count = 0
  /// The place up to which line feeds have been counted.
  private var countedOffset = 0

  /// Checks the size and the encoding. ``next()`` reads the lines. O(bytes).
  ///
  /// - Parameters:
  ///   - bytes: all bytes of the file, in UTF-8.
  ///   - limits: the limits for size and depth. `elementCount` also bounds the number of values.
  /// - Throws: ``SnapshotError`` with code `tooLarge`, or `malformed` for bytes that are not UTF-8.
  package init(reading bytes: [UInt8], limits: ReadLimits = ReadLimits()) throws(SnapshotError) {
    try limits.requireSize(of: bytes)
    source = try SourceText(bytes, isText: true)
    self.limits = limits
  }

  /// The value on the next line that is not blank; nil at the end, and after an error. O(bytes of the lines).
  ///
  /// - Throws: ``SnapshotError`` with the line and the column: `malformed`, `duplicate` or `limitExceeded`.
  package mutating func next() throws(SnapshotError) -> UntypedValue? {
    do throws(SnapshotError) {
      guard let item = try nextItem() else { return nil }
      if count >= limits.elementCount {
        throw SnapshotError(.limitExceeded, limits.countMessage, position: source.position(item.offset))
      }
      count += 1
      countLines(to: item.offset)
      return UntypedValue(item)
    } catch {
      offset = source.bytes.count
      throw error
    }
  }

  /// An error with the place of a value in the file. O(bytes before the value), because it counts the lines.
  ///
  /// - Parameters:
  ///   - code: the kind of failure.
  ///   - message: what is wrong: one sentence without a final full stop.
  ///   - value: a value that ``next()`` returned, or a part of one.
  ///   - dataPath: the place of the value in the data, such as `tags[2]`.
  package func error(
    _ code: SnapshotError.Code, _ message: String, at value: UntypedValue, dataPath: String? = nil
  ) -> SnapshotError {
    SnapshotError(code, message, position: source.position(value.item.offset), dataPath: dataPath)
  }

  private mutating func nextItem() throws(SnapshotError) -> Item? {
    let source = source
    return try source.bytes.withUnsafeBufferPointer { bytes throws(SnapshotError) in
      // The scanner borrows the bytes, and the cache of keys with them, for one value.
      var scanner = JSONScanner(bytes, of: source, limits: limits)
      if let offset { scanner.offset = offset }
      swap(&scanner.keys, &keys)
      defer {
        swap(&scanner.keys, &keys)
        offset = scanner.offset
      }
      return try scanner.line()
    }
  }

  /// Counts the line feeds before a value. The value itself has none, because it stands on one line.
  private mutating func countLines(to start: Int) {
    source.bytes.withUnsafeBufferPointer { bytes in
      for index in countedOffset..<start where bytes[index] == UInt8(ascii: "\n") { line += 1 }
    }
    countedOffset = offset ?? start
  }
}
