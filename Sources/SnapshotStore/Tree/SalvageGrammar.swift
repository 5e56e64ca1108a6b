/// The parts of a text format that salvage needs: its tokens, and the marks at which reading continues after damage.
protocol SalvageGrammar {
  init(_ bytes: UnsafeBufferPointer<UInt8>, of source: SourceText, limits: ReadLimits)

  // MARK: Reading

  var offset: Int { get set }
  mutating func skipWhitespace()
  /// Skips white space and comments.
  mutating func skipFiller() throws(SnapshotError)
  /// The next token after white space and comments; nil at the end. Objects, keys and unknown text stay in place.
  mutating func token() throws(SnapshotError) -> SalvageToken?
  /// The place of the first key of the object at the position, if it has one.
  func insideOfObject() -> Int?
  /// Enters the object at the position.
  mutating func enterObject() -> Bool
  /// Reads a key, up to its value.
  mutating func key() throws(SnapshotError) -> String
  func isAtArray() -> Bool
  /// Whether the next value is an array whose first element is an object.
  func isAtArrayOfObjects() -> Bool
  /// Enters the next array, or skips it if its tag says that it is empty.
  ///
  /// - Returns: whether the array is empty.
  mutating func enterArray() throws(SnapshotError) -> Bool
  mutating func value(depth: Int) throws(SnapshotError) -> Item
  /// The members of the object at the position, up to the first error.
  ///
  /// - Parameters:
  ///   - inner: the key of an inner object. Of this object, members before damage are returned too.
  ///   - isLost: whether the value at an offset is known to be damaged.
  func members(depth: Int, inner: ExactText?, _ isLost: (Int) -> Bool) -> [Item.Member]

  // MARK: Marks

  /// Whether the text may contain lines of newline-delimited JSON.
  static var mayHoldLines: Bool { get }
  /// Whether a record is one line. If so, members of the file may be indented as far as records.
  static var recordsAreLines: Bool { get }
  /// The marks before and after the text of a key, and between the key and its value.
  static var keyMarks: (before: StaticString, after: StaticString, colon: StaticString?) { get }
  /// The beginning of the header.
  static var headerMark: StaticString { get }
  /// The beginnings of a table.
  static var tableMarks: [StaticString] { get }
  static func isObject(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Bool
  static func isArrayEnd(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Bool
  /// Whether a line ends like the line of a record.
  static func endsLikeRecord(_ bytes: UnsafeBufferPointer<UInt8>, line: Range<Int>) -> Bool
  /// The mark at a place in the middle of a line.
  static func mark(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int, _ trail: SalvageTrail, isRecord: Bool)
    -> SalvageMark?
  /// Whether an array ends right before an offset.
  static func isBehindArray(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int, _ trail: SalvageTrail) -> Bool
  /// The place of the next key, if an empty array ends at an offset.
  static func keyBehindEmptyArray(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Int?
  /// The next bracket or tag; nil if it is neither. One that the limit cuts off is `other`.
  static func bracket(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int, before limit: Int) -> SalvageBracket?
}

/// A token of a text, as salvage sees it.
enum SalvageToken {
  /// A comma, or a mark around a whole file. Salvage skips it.
  case separator
  /// The end of an object or an array that was not read as a whole. Salvage skips it. The array began at an offset.
  case objectEnd
  case arrayEnd(at: Int)
  case object
  case key
  case other
}

/// A possible beginning of a record or a table in the middle of a line.
enum SalvageMark {
  case key
  /// An object inside the skipped text.
  case nested
  /// An object behind another one.
  case record
  /// An object with nothing before it.
  case first
}

/// The beginning of an array or an object, its end, or anything else; each with the offset where it ends.
enum SalvageBracket {
  case beginning(Int)
  case ending(Int)
  case other(Int)
}

/// The part of a line that was skipped.
struct SalvageTrail {
  private(set) var last: UInt8 = 0
  private(set) var beforeLast: UInt8 = 0
  private(set) var hasText = false
  var isNested = false

  mutating func append(_ byte: UInt8) {
    if ByteText.isWhitespace(byte) { return }
    if byte == UInt8(ascii: "\"") { hasText = true }
    (beforeLast, last) = (last, byte)
  }
}

extension ByteText {
  /// The most blanks that are skipped, so that no byte is read very often.
  private static let blanks = 256

  static func skipBlanks(_ bytes: UnsafeBufferPointer<UInt8>, _ place: inout Int) {
    let end = min(bytes.count, place + blanks)
    while place < end, isWhitespace(bytes[place]) { place += 1 }
  }

  /// Whether a text stands right before an offset. Blanks between them are ignored.
  static func follows(_ text: StaticString, _ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int) -> Bool {
    var end = offset
    let start = max(0, end - blanks)
    while end > start, isWhitespace(bytes[end - 1]) { end -= 1 }
    let length = text.utf8CodeUnitCount
    return end >= length && isNext(text, bytes, at: end - length)
  }
}
