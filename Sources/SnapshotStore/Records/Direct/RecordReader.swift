public import SnapshotFoundation

/// Reads the properties of one record after another directly from the bytes of a file; see ``DirectRecord``.
///
/// Every method reads the next property, which must have the given key, and throws ``RecordMismatch`` if it has another
/// one, or a value that is not written exactly as ``RecordWriter`` would write it.
public struct RecordReader: ~Copyable {
  /// How the records are written.
  enum Form {
    case json
    case xml
    case binary
  }

  let form: Form
  let bytes: UnsafeBufferPointer<UInt8>
  /// The next byte to be read; in a binary list, the index of the record at hand.
  var offset: Int
  /// Where the reader's part ends: no record begins here or later.
  let limit: Int
  /// Where things are in a binary list.
  var binary = BinaryPosition()
  /// How many records may still be read.
  private var remaining = Int.max
  /// The longest text that is read, in bytes of UTF-8.
  private(set) var textSize = Int.max
  /// The most elements of an array that are read.
  private(set) var elementCount = Int.max
  /// Whether the next thing is the first property of its record.
  var isFirst = true
  /// Where the record at hand begins.
  private(set) var recordStart: Int
  /// Whether the next record is not yet begun, and the mark between it and the one before has been read.
  private(set) var isAtRecord: Bool

  /// A reader of records.
  ///
  /// - Parameters:
  ///   - bytes: the whole file; it must outlive the reader.
  ///   - offset: where the next record begins, or where one has ended.
  ///   - limit: no record that begins at or after this offset is read.
  init(_ form: Form, _ bytes: UnsafeBufferPointer<UInt8>, offset: Int, limit: Int, isAtRecord: Bool) {
    self.form = form
    self.bytes = bytes
    self.offset = offset
    self.limit = limit
    self.isAtRecord = isAtRecord
    recordStart = offset
  }

  /// Leaves to `Codable` what is beyond the limits, so that it is refused there.
  mutating func limit(to most: Int, _ limits: ReadLimits) {
    remaining = most
    textSize = limits.textSize
    elementCount = limits.elementCount
  }

  // MARK: Records

  /// Goes to the first property of the next record; false, at the start of what follows, if there is none in direct form.
  mutating func beginRecord() -> Bool {
    guard remaining > 0 else { return false }
    if !isAtRecord {
      guard passSeparator() else { return false }
      isAtRecord = true
    }
    guard offset < limit else { return false }
    recordStart = offset
    switch form {
    case .json: guard skip(UInt8(ascii: "{")) else { return false }
    case .xml: guard skip("\n\t\t<dict>") else { return false }
    case .binary: guard binary.begin(offset, in: bytes) else { return false }
    }
    isFirst = true
    return true
  }

  /// Steps over the end of a record.
  mutating func endRecord() -> Bool {
    switch form {
    case .json: guard skip(UInt8(ascii: "}")) else { return false }
    case .xml: guard skip("\n\t\t</dict>") else { return false }
    case .binary:
      guard binary.endRecord() else { return false }
      offset += 1
    }
    isAtRecord = false
    remaining -= 1
    return true
  }

  /// Goes back to where the record at hand begins.
  mutating func abandonRecord() {
    offset = recordStart
    isAtRecord = true
    if form == .binary { binary.abandon() }
  }

  /// Steps over what stands between two records.
  private mutating func passSeparator() -> Bool {
    switch form {
    case .json: jsonPassSeparator()
    case .xml, .binary: true
    }
  }

  // MARK: Properties

  /// Reads a truth value.
  public mutating func read(_ key: StaticString) throws(RecordMismatch) -> Bool {
    switch form {
    case .json:
      try jsonKey(key)
      return try jsonBool()
    case .xml:
      try xmlKey(key)
      return try xmlBool()
    case .binary: return try binaryBool(key)
    }
  }

  /// Reads an integer.
  public mutating func read(_ key: StaticString) throws(RecordMismatch) -> Int64 {
    switch form {
    case .json:
      try jsonKey(key)
      return try jsonInteger()
    case .xml:
      try xmlKey(key)
      return try xmlInteger()
    case .binary: return try binaryInteger(key)
    }
  }

  /// Reads an integer.
  public mutating func read(_ key: StaticString) throws(RecordMismatch) -> Int {
    let value: Int64 = try read(key)
    guard let value = Int(exactly: value) else { throw RecordMismatch() }
    return value
  }

  /// Reads a number.
  public mutating func read(_ key: StaticString) throws(RecordMismatch) -> Double {
    switch form {
    case .json:
      try jsonKey(key)
      return try jsonNumber()
    case .xml:
      try xmlKey(key)
      return try xmlNumber()
    case .binary: return try binaryNumber(key, marker: 0x23)
    }
  }

  /// Reads a text.
  public mutating func read(_ key: StaticString) throws(RecordMismatch) -> String {
    switch form {
    case .json:
      try jsonKey(key)
      return try jsonText()
    case .xml:
      try xmlKey(key)
      return try xmlText()
    case .binary: return try binaryText(key)
    }
  }

  /// Reads a date.
  public mutating func read(_ key: StaticString) throws(RecordMismatch) -> Date {
    switch form {
    case .json:
      try jsonKey(key)
      return Date(timeIntervalSinceReferenceDate: try jsonDate())
    case .xml:
      try xmlKey(key)
      return Date(timeIntervalSinceReferenceDate: try xmlDate())
    case .binary: return Date(timeIntervalSinceReferenceDate: try binaryNumber(key, marker: 0x33))
    }
  }

  /// Reads an array of texts.
  public mutating func read(_ key: StaticString) throws(RecordMismatch) -> [String] {
    switch form {
    case .json:
      try jsonKey(key)
      return try jsonTexts()
    case .xml:
      try xmlKey(key)
      return try xmlTexts()
    case .binary: return try binaryTexts(key)
    }
  }

  // MARK: Text

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

  /// Whether the next property has this key. One that is not there may be an optional that is nil.
  private mutating func isNext(_ key: StaticString) -> Bool {
    switch form {
    case .json: isNextJSON(key)
    case .xml: isNextXML(key)
    case .binary: binary.isNext(key, in: bytes)
    }
  }
}

// MARK: - Optional properties

extension RecordReader {
  /// Reads a truth value, or nil if the next property has another key.
  public mutating func readIfPresent(_ key: StaticString) throws(RecordMismatch) -> Bool? {
    isNext(key) ? try read(key) : nil
  }

  /// Reads an integer, or nil if the next property has another key.
  public mutating func readIfPresent(_ key: StaticString) throws(RecordMismatch) -> Int64? {
    isNext(key) ? try read(key) : nil
  }

  /// Reads an integer, or nil if the next property has another key.
  public mutating func readIfPresent(_ key: StaticString) throws(RecordMismatch) -> Int? {
    isNext(key) ? try read(key) : nil
  }

  /// Reads a number, or nil if the next property has another key.
  public mutating func readIfPresent(_ key: StaticString) throws(RecordMismatch) -> Double? {
    isNext(key) ? try read(key) : nil
  }

  /// Reads a text, or nil if the next property has another key.
  public mutating func readIfPresent(_ key: StaticString) throws(RecordMismatch) -> String? {
    isNext(key) ? try read(key) : nil
  }

  /// Reads a date, or nil if the next property has another key.
  public mutating func readIfPresent(_ key: StaticString) throws(RecordMismatch) -> Date? {
    isNext(key) ? try read(key) : nil
  }

  /// Reads an array of texts, or nil if the next property has another key.
  public mutating func readIfPresent(_ key: StaticString) throws(RecordMismatch) -> [String]? {
    isNext(key) ? try read(key) : nil
  }
}
