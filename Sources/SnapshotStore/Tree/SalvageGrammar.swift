/// What a text format gives so that damaged files can be read: its tokens, and the marks by which what is behind damage is found.
protocol SalvageGrammar {
  init(_ bytes: UnsafeBufferPointer<UInt8>, of source: SourceText, limits: ReadLimits)

  // MARK: Reading

  var offset: Int { get set }
  mutating func skipWhitespace()
  /// Skips white space and comments.
  mutating func skipFiller() throws(SnapshotError)
  /// What is next, behind white space and comments; nil at the end. Objects, keys and what is unknown are left in place.
  mutating func token() throws(SnapshotError) -> SalvageToken?
  /// Where the first key of the object at the position is, if there is one.
  func insideOfObject() -> Int?
  /// Steps into the object at the position.
  mutating func enterObject() -> Bool
  /// Reads a key, up to its value.
  mutating func key() throws(SnapshotError) -> String
  func isAtArray() -> Bool
  /// Whether an array is next that has an object first.
  func isAtArrayOfObjects() -> Bool
  /// Steps into the array that is next, or over it if it says that it is empty.
  ///
  /// - Returns: whether it is empty.
  mutating func enterArray() throws(SnapshotError) -> Bool
  mutating func value(depth: Int) throws(SnapshotError) -> Item
  /// The members of the object at the position, up to where it breaks the rules.
  ///
  /// - Parameters:
  ///   - inner: the key of an object of which the members before damage count too.
  ///   - isLost: whether the value at an offset is known to break the rules.
  func members(depth: Int, inner: ExactText?, _ isLost: (Int) -> Bool) -> [Item.Member]

  // MARK: Marks

  /// Whether text may hold lines of newline-delimited JSON.
  static var mayHoldLines: Bool { get }
  /// Whether a record takes one line, so that members of the file may be as far right as records.
  static var recordsAreLines: Bool { get }
  /// What stands before and behind the text of a key, and between that and its value.
  static var keyMarks: (before: StaticString, after: StaticString, colon: StaticString?) { get }
  /// The beginning of the header.
  static var headerMark: StaticString { get }
  /// The beginnings of a table.
  static var tableMarks: [StaticString] { get }
  static func isObject(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Bool
  static func isArrayEnd(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Bool
  /// Whether a line ends as the one line of a record does.
  static func endsLikeRecord(_ bytes: UnsafeBufferPointer<UInt8>, line: Range<Int>) -> Bool
  /// What begins in the middle of a line.
  static func mark(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int, _ trail: SalvageTrail, isRecord: Bool)
    -> SalvageMark?
  /// Whether the end of an array is the last thing before an offset.
  static func isBehindArray(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int, _ trail: SalvageTrail) -> Bool
  /// Where the next key may be, if an array ends at an offset that has nothing in it.
  static func keyBehindEmptyArray(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Int?
  /// What is next, as brackets and tags tell it; nil if they do not. What is cut off at the limit is something else.
  static func bracket(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int, before limit: Int) -> SalvageBracket?
}

/// What salvage meets in a text.
enum SalvageToken {
  /// A comma, or what stands around a whole file: passed over.
  case separator
  /// The end of an object or an array that was not read as a whole: passed over. It began at an offset.
  case objectEnd
  case arrayEnd(at: Int)
  case object
  case key
  case other
}

/// What may begin a record or a table in the middle of a line.
enum SalvageMark {
  case key
  /// An object that is a part of what is passed over.
  case nested
  /// An object behind another one.
  case record
  /// An object with nothing before it.
  case first
}

/// The beginning of an array or an object, its end, or anything else, and where that ends.
enum SalvageBracket {
  case beginning(Int)
  case ending(Int)
  case other(Int)
}

/// What has been passed over in a line.
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
  /// At most so many blanks are passed over, so that no byte is looked at very often.
  private static let blanks = 256

  static func skipBlanks(_ bytes: UnsafeBufferPointer<UInt8>, _ place: inout Int) {
    let end = min(bytes.count, place + blanks)
    while place < end, isWhitespace(bytes[place]) { place += 1 }
  }

  /// Whether a text is the last thing before an offset, but for blanks.
  static func follows(_ text: StaticString, _ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int) -> Bool {
    var end = offset
    let start = max(0, end - blanks)
    while end > start, isWhitespace(bytes[end - 1]) { end -= 1 }
    let length = text.utf8CodeUnitCount
    return end >= length && isNext(text, bytes, at: end - length)
  }
}
