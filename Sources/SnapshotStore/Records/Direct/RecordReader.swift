/// Reads the properties of one record after another directly from the bytes of a file; see ``DirectRecord``.
///
/// It reads any ``DirectValue``.
public struct RecordReader: ~Copyable {
  /// Thrown for a record in another form than this library writes. `Codable` then reads the record.
  public struct Mismatch: Error {
    /// A mismatch.
    @inlinable
    public init() {}
  }

  /// The format of the records.
  let form: RecordForm
  var place: ByteCursor
  /// The position in a binary list.
  var binary = BinaryPosition()
  /// Whether the value of the current property is still to be read.
  private var hasValue = false
  /// The offset of that value in a binary list.
  private var valueOffset = 0
  /// The number of records that may still be read.
  private var remaining: Int
  /// The beginning of the current record.
  private var recordStart: Int

  /// A reader of records that begins at a cursor; nil if the cursor's format has no direct form.
  ///
  /// - Parameter most: the most records that it reads.
  init?<Cursor>(_ cursor: Cursor, most: Int) {
    guard let form = RecordForm(cursor: Cursor.self) else { return nil }
    self.form = form
    switch form {
    case .json: place = identityCast(cursor, to: JSONCursor.self).place
    case .xml: place = identityCast(cursor, to: XMLCursor.self).place
    case .binary:
      let cursor = identityCast(cursor, to: BinaryCursor.self)
      place = cursor.place
      binary = cursor.position
    }
    remaining = most
    recordStart = place.offset
  }

  /// The current position, as a cursor of the type with which reading began.
  func cursor<Cursor>(as type: Cursor.Type) -> Cursor {
    switch form {
    case .json: identityCast(JSONCursor(place: place), to: type)
    case .xml: identityCast(XMLCursor(place: place), to: type)
    case .binary: identityCast(BinaryCursor(place: place, position: binary), to: type)
    }
  }

  // MARK: Records

  /// Moves to the first property of the next record. If none is in direct form, returns false and stays in place.
  @usableFromInline
  mutating func beginRecord() -> Bool {
    guard remaining > 0 else { return false }
    if !place.isAtRecord {
      guard passSeparator() else { return false }
      place.isAtRecord = true
    }
    guard place.offset < place.limit else { return false }
    recordStart = place.offset
    switch form {
    case .json: guard place.skip(UInt8(ascii: "{")) else { return false }
    case .xml: guard place.skip("\n\t\t<dict>") else { return false }
    case .binary: guard binary.begin(place.offset, in: place.bytes) else { return false }
    }
    place.isFirst = true
    return true
  }

  /// Skips the end of a record.
  @usableFromInline
  mutating func endRecord() -> Bool {
    if hasValue { return false }
    switch form {
    case .json: guard place.skip(UInt8(ascii: "}")) else { return false }
    case .xml: guard place.skip("\n\t\t</dict>") else { return false }
    case .binary:
      guard binary.endRecord() else { return false }
      place.offset += 1
    }
    place.isAtRecord = false
    remaining -= 1
    return true
  }

  /// Moves back to the beginning of the current record.
  @usableFromInline
  mutating func abandonRecord() {
    place.offset = recordStart
    place.isAtRecord = true
    hasValue = false
    if form == .binary { binary.abandon() }
  }

  /// Skips the separator between two records.
  private mutating func passSeparator() -> Bool {
    switch form {
    case .json: place.jsonPassSeparator()
    case .xml, .binary: true
    }
  }

  // MARK: Properties

  /// Reads the next property.
  ///
  /// - Throws: ``RecordReader/Mismatch`` if it has another key, or a value that ``RecordWriter`` writes differently.
  @inlinable
  public mutating func read<Value: DirectValue>(_ key: StaticString) throws(Mismatch) -> Value {
    guard try passIfNext(key) else { throw Mismatch() }
    return try Value(reading: &self)
  }

  /// Reads the next property; nil if it has another key.
  ///
  /// - Throws: ``RecordReader/Mismatch`` for a value that ``RecordWriter`` writes differently.
  @inlinable
  public mutating func readIfPresent<Value: DirectValue>(_ key: StaticString) throws(Mismatch) -> Value? {
    guard try passIfNext(key) else { return nil }
    return try Value(reading: &self)
  }

  /// Moves to the value of the next property if it has this key. Another key may mean that an optional property is nil.
  @usableFromInline
  mutating func passIfNext(_ key: StaticString) throws(Mismatch) -> Bool {
    if hasValue { throw Mismatch() }
    switch form {
    case .json: hasValue = place.jsonPassIfNext(key)
    case .xml: hasValue = place.xmlPassIfNext(key)
    case .binary:
      guard binary.isNext(key, in: place.bytes) else { return false }
      guard let offset = binary.value(in: place.bytes) else { throw Mismatch() }
      valueOffset = offset
      hasValue = true
    }
    return hasValue
  }

  /// Begins to read a value. There is no second attempt after a mismatch, which may leave the cursor inside the value.
  @inline(__always)
  private mutating func beginValue() throws(Mismatch) {
    if !hasValue { throw Mismatch() }
    hasValue = false
  }
}

// MARK: - Values

/// What a cursor throws becomes what a record may throw.
extension RecordReader {
  mutating func bool() throws(Mismatch) -> Bool {
    try beginValue()
    do {
      switch form {
      case .json: return try place.jsonBool()
      case .xml: return try place.xmlBool()
      case .binary: return try binary.bool(at: valueOffset, place)
      }
    } catch { throw Mismatch() }
  }

  mutating func integer() throws(Mismatch) -> Int64 {
    try beginValue()
    do {
      switch form {
      case .json: return try place.jsonInteger()
      case .xml: return try place.xmlInteger()
      case .binary: return try binary.integer(at: valueOffset, place)
      }
    } catch { throw Mismatch() }
  }

  mutating func number() throws(Mismatch) -> Double {
    try beginValue()
    do {
      switch form {
      case .json: return try place.jsonNumber()
      case .xml: return try place.xmlNumber()
      case .binary: return try binary.number(at: valueOffset, marker: 0x23, place)
      }
    } catch { throw Mismatch() }
  }

  mutating func text() throws(Mismatch) -> String {
    try beginValue()
    do {
      switch form {
      case .json: return try place.jsonText()
      case .xml: return try place.xmlText()
      case .binary: return try binary.text(at: valueOffset, place)
      }
    } catch { throw Mismatch() }
  }

  /// The seconds of a date.
  mutating func date() throws(Mismatch) -> Double {
    try beginValue()
    do {
      switch form {
      case .json: return try place.jsonDate()
      case .xml: return try place.xmlDate()
      case .binary: return try binary.number(at: valueOffset, marker: 0x33, place)
      }
    } catch { throw Mismatch() }
  }

  mutating func texts() throws(Mismatch) -> [String] {
    try beginValue()
    do {
      switch form {
      case .json: return try place.jsonTexts()
      case .xml: return try place.xmlTexts()
      case .binary: return try binary.texts(at: valueOffset, place)
      }
    } catch { throw Mismatch() }
  }
}
