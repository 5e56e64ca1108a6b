public import SnapshotFoundation

/// Writes the properties of one record after another directly as the bytes of a file; see ``DirectRecord``.
public struct RecordWriter: ~Copyable {
  /// How the records are written.
  enum Form {
    case json
    case xml
    case binary
    /// Not at all: their objects in a binary list are counted.
    case binaryCount
  }

  let form: Form
  var sink: ByteSink
  /// Whether the next property is the first one of its record.
  private var isFirst = true
  /// The objects of a binary list.
  var binary: BinaryRecords
  private let recordStart: [UInt8]
  private let recordEnd: StaticString

  private init(_ form: Form, _ frame: RecordFrame? = nil, _ binary: BinaryRecords = BinaryRecords()) {
    self.form = form
    self.binary = binary
    recordStart = frame?.start ?? []
    recordEnd = frame?.end ?? ""
    sink = ByteSink()
  }

  /// A writer whose records are appended to its sink in the general way.
  init() { self.init(.json) }

  /// A writer of records in a frame; nil if its format has no form that is known here.
  init?(_ frame: RecordFrame) {
    switch RecordForm(cursor: frame.cursor) {
    case .json: self.init(.json, frame)
    case .xml: self.init(.xml, frame)
    case .binary, nil: return nil
    }
  }

  /// A writer of records whose objects come after others.
  init(binary objects: BinaryObjectList) { self.init(.binary, nil, BinaryRecords(objects)) }

  /// Only counts objects.
  static func binaryCounter() -> RecordWriter { RecordWriter(.binaryCount) }

  @usableFromInline
  mutating func beginRecord() {
    switch form {
    case .json, .xml: sink.append(contentsOf: recordStart)
    case .binary: binary.begin()
    case .binaryCount: break
    }
    isFirst = true
  }

  @usableFromInline
  mutating func endRecord() {
    switch form {
    case .json: sink.append(recordEnd)
    case .xml: if isFirst { XMLText.endEmptyRecord(&sink) } else { sink.append(recordEnd) }
    case .binary: binary.end(&sink)
    case .binaryCount: binary.count.addOwn(1)
    }
  }

  /// What was written, for good.
  consuming func finish() -> ByteBlock { sink.finish() }

  // MARK: Properties

  /// Writes a truth value.
  public mutating func write(_ key: StaticString, _ value: Bool) {
    switch form {
    case .json:
      JSONText.append(key: key, isFirst: isFirst, to: &sink)
      isFirst = false
      sink.append(value ? "true" : "false")
    case .xml:
      XMLText.append(recordKey: key, to: &sink)
      isFirst = false
      sink.append(value ? "<true/>\n" : "<false/>\n")
    case .binary:
      binary.write(key, &sink)
      binary.values.append(binary.objects.write(value, to: &sink))
    case .binaryCount:
      binary.count.add(key: key)
      binary.count.add(value)
    }
  }

  /// Writes an integer.
  public mutating func write(_ key: StaticString, _ value: Int64) {
    switch form {
    case .json:
      JSONText.append(key: key, isFirst: isFirst, to: &sink)
      isFirst = false
      sink.append(decimal: value)
    case .xml:
      XMLText.append(recordKey: key, to: &sink)
      isFirst = false
      XMLText.append(integer: value, to: &sink)
      sink.append(UInt8(ascii: "\n"))
    case .binary:
      binary.write(key, &sink)
      binary.values.append(binary.objects.write(value, to: &sink))
    case .binaryCount:
      binary.count.add(key: key)
      binary.count.addOwn(1)
    }
  }

  /// Writes an integer.
  public mutating func write(_ key: StaticString, _ value: Int) { write(key, Int64(value)) }

  /// Writes a number.
  public mutating func write(_ key: StaticString, _ value: Double) {
    switch form {
    case .json:
      JSONText.append(key: key, isFirst: isFirst, to: &sink)
      isFirst = false
      JSONText.append(value, to: &sink)
    case .xml:
      XMLText.append(recordKey: key, to: &sink)
      isFirst = false
      XMLText.append(value, to: &sink)
      sink.append(UInt8(ascii: "\n"))
    case .binary:
      binary.write(key, &sink)
      binary.values.append(binary.objects.write(value, to: &sink))
    case .binaryCount:
      binary.count.add(key: key)
      binary.count.addOwn(1)
    }
  }

  /// Writes a text.
  public mutating func write(_ key: StaticString, _ value: String) {
    switch form {
    case .json:
      JSONText.append(key: key, isFirst: isFirst, to: &sink)
      isFirst = false
      JSONText.append(value, to: &sink)
    case .xml:
      XMLText.append(recordKey: key, to: &sink)
      isFirst = false
      XMLText.append(value, to: &sink)
      sink.append(UInt8(ascii: "\n"))
    case .binary:
      binary.write(key, &sink)
      binary.values.append(binary.objects.write(value, to: &sink))
    case .binaryCount:
      binary.count.add(key: key)
      binary.count.addOwn(1)
    }
  }

  /// Writes a date.
  public mutating func write(_ key: StaticString, _ value: Date) {
    switch form {
    case .json:
      JSONText.append(key: key, isFirst: isFirst, to: &sink)
      isFirst = false
      JSONText.append(date: value.timeIntervalSinceReferenceDate, to: &sink)
    case .xml:
      XMLText.append(recordKey: key, to: &sink)
      isFirst = false
      XMLText.append(date: value.timeIntervalSinceReferenceDate, to: &sink)
      sink.append(UInt8(ascii: "\n"))
    case .binary:
      binary.write(key, &sink)
      binary.values.append(binary.objects.write(date: value.timeIntervalSinceReferenceDate, to: &sink))
    case .binaryCount:
      binary.count.add(key: key)
      binary.count.addOwn(1)
    }
  }

  /// Writes an array of texts.
  public mutating func write(_ key: StaticString, _ value: [String]) {
    switch form {
    case .json:
      JSONText.append(key: key, isFirst: isFirst, to: &sink)
      isFirst = false
      sink.append(UInt8(ascii: "["))
      for (index, text) in value.enumerated() {
        if index > 0 { sink.append(UInt8(ascii: ",")) }
        JSONText.append(text, to: &sink)
      }
      sink.append(UInt8(ascii: "]"))
    case .xml:
      XMLText.append(recordKey: key, to: &sink)
      isFirst = false
      XMLText.append(recordTexts: value, to: &sink)
    case .binary:
      binary.write(key, &sink)
      binary.values.append(binary.objects.write(texts: value, to: &sink))
    case .binaryCount:
      binary.count.add(key: key)
      binary.count.addOwn(value.count + 1)
    }
  }
}

// MARK: - Optional properties

extension RecordWriter {
  /// Writes a truth value, or nothing for nil.
  public mutating func writeIfPresent(_ key: StaticString, _ value: Bool?) {
    if let value { write(key, value) }
  }

  /// Writes an integer, or nothing for nil.
  public mutating func writeIfPresent(_ key: StaticString, _ value: Int64?) {
    if let value { write(key, value) }
  }

  /// Writes an integer, or nothing for nil.
  public mutating func writeIfPresent(_ key: StaticString, _ value: Int?) {
    if let value { write(key, value) }
  }

  /// Writes a number, or nothing for nil.
  public mutating func writeIfPresent(_ key: StaticString, _ value: Double?) {
    if let value { write(key, value) }
  }

  /// Writes a text, or nothing for nil.
  public mutating func writeIfPresent(_ key: StaticString, _ value: String?) {
    if let value { write(key, value) }
  }

  /// Writes a date, or nothing for nil.
  public mutating func writeIfPresent(_ key: StaticString, _ value: Date?) {
    if let value { write(key, value) }
  }

  /// Writes an array of texts, or nothing for nil.
  public mutating func writeIfPresent(_ key: StaticString, _ value: [String]?) {
    if let value { write(key, value) }
  }
}
