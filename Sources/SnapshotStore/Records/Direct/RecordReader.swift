public import SnapshotFoundation

/// Reads the properties of one record after another directly from the bytes of a file; see ``DirectRecord``.
///
/// Every method reads the next property, which must have the given key, and throws ``RecordMismatch`` if it has another
/// one, or a value that is not written exactly as ``RecordWriter`` would write it.
public struct RecordReader: ~Copyable {
  /// How the records are written.
  let form: RecordForm
  var place: ByteCursor
  /// Where things are in a binary list.
  var binary = BinaryPosition()
  /// How many records may still be read.
  private var remaining: Int
  /// Where the record at hand begins.
  private var recordStart: Int

  /// A reader of records from the cursor of a format on; nil if the format has none that is known here.
  ///
  /// - Parameter most: how many records it reads at most.
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

  /// The place that was come to, as a cursor of the type that reading began with.
  func cursor<Cursor>(as type: Cursor.Type) -> Cursor {
    switch form {
    case .json: identityCast(JSONCursor(place: place), to: type)
    case .xml: identityCast(XMLCursor(place: place), to: type)
    case .binary: identityCast(BinaryCursor(place: place, position: binary), to: type)
    }
  }

  // MARK: Records

  /// Goes to the first property of the next record; false, at the start of what follows, if there is none in direct form.
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

  /// Steps over the end of a record.
  @usableFromInline
  mutating func endRecord() -> Bool {
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

  /// Goes back to where the record at hand begins.
  @usableFromInline
  mutating func abandonRecord() {
    place.offset = recordStart
    place.isAtRecord = true
    if form == .binary { binary.abandon() }
  }

  /// Steps over what stands between two records.
  private mutating func passSeparator() -> Bool {
    switch form {
    case .json: place.jsonPassSeparator()
    case .xml, .binary: true
    }
  }

  // MARK: Properties

  /// Reads a truth value.
  public mutating func read(_ key: StaticString) throws(RecordMismatch) -> Bool {
    switch form {
    case .json:
      try place.jsonKey(key)
      return try place.jsonBool()
    case .xml:
      try place.xmlKey(key)
      return try place.xmlBool()
    case .binary: return try binary.bool(key, place)
    }
  }

  /// Reads an integer.
  public mutating func read(_ key: StaticString) throws(RecordMismatch) -> Int64 {
    switch form {
    case .json:
      try place.jsonKey(key)
      return try place.jsonInteger()
    case .xml:
      try place.xmlKey(key)
      return try place.xmlInteger()
    case .binary: return try binary.integer(key, place)
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
      try place.jsonKey(key)
      return try place.jsonNumber()
    case .xml:
      try place.xmlKey(key)
      return try place.xmlNumber()
    case .binary: return try binary.number(key, marker: 0x23, place)
    }
  }

  /// Reads a text.
  public mutating func read(_ key: StaticString) throws(RecordMismatch) -> String {
    switch form {
    case .json:
      try place.jsonKey(key)
      return try place.jsonText()
    case .xml:
      try place.xmlKey(key)
      return try place.xmlText()
    case .binary: return try binary.text(key, place)
    }
  }

  /// Reads a date.
  public mutating func read(_ key: StaticString) throws(RecordMismatch) -> Date {
    switch form {
    case .json:
      try place.jsonKey(key)
      return Date(timeIntervalSinceReferenceDate: try place.jsonDate())
    case .xml:
      try place.xmlKey(key)
      return Date(timeIntervalSinceReferenceDate: try place.xmlDate())
    case .binary: return Date(timeIntervalSinceReferenceDate: try binary.number(key, marker: 0x33, place))
    }
  }

  /// Reads an array of texts.
  public mutating func read(_ key: StaticString) throws(RecordMismatch) -> [String] {
    switch form {
    case .json:
      try place.jsonKey(key)
      return try place.jsonTexts()
    case .xml:
      try place.xmlKey(key)
      return try place.xmlTexts()
    case .binary: return try binary.texts(key, place)
    }
  }

  /// Whether the next property has this key. One that is not there may be an optional that is nil.
  private mutating func isNext(_ key: StaticString) -> Bool {
    switch form {
    case .json: place.isNextJSON(key)
    case .xml: place.isNextXML(key)
    case .binary: binary.isNext(key, in: place.bytes)
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
