/// Writes the properties of one record after another directly as the bytes of a file; see ``DirectRecord``.
///
/// It writes any ``DirectValue``.
public struct RecordWriter: ~Copyable {
  /// The format of the records.
  enum Form {
    case json
    case xml
    case binary
    /// Writes no bytes: counts the objects of a binary list.
    case binaryCount
  }

  let form: Form
  var sink: ByteSink
  /// Whether the next property is the first one of its record.
  private var isFirst = true
  /// The key of the current property.
  @usableFromInline var key: StaticString = ""
  /// Whether the value of that key is still to be written.
  @usableFromInline var needsValue = false
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

  /// A writer whose records are appended to its sink through `Codable`.
  init() { self.init(.json) }

  /// A writer of records in a frame; nil if the frame's format has no direct form.
  init?(_ frame: RecordFrame) {
    switch RecordForm(cursor: frame.cursor) {
    case .json: self.init(.json, frame)
    case .xml: self.init(.xml, frame)
    case .binary, nil: return nil
    }
  }

  /// A writer of records whose objects follow others.
  init(binary objects: BinaryObjectList) { self.init(.binary, nil, BinaryRecords(objects)) }

  /// A writer that only counts objects.
  static func binaryCounter() -> RecordWriter { RecordWriter(.binaryCount) }

  /// The number of bytes written so far, as text.
  @usableFromInline var count: Int { sink.count }

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
    if needsValue { stopWithoutValue() }
    switch form {
    case .json: sink.append(recordEnd)
    case .xml: if isFirst { XMLText.endEmptyRecord(&sink) } else { sink.append(recordEnd) }
    case .binary: binary.end(&sink)
    case .binaryCount: binary.count.addOwn(1)
    }
  }

  /// Appends a record whose members `members` appends. If that returns false, nothing is appended.
  mutating func append(members: (inout ByteSink) -> Bool) -> Bool {
    let start = sink.count
    beginRecord()
    let firstMember = sink.count
    guard members(&sink) else {
      sink.removeLast(sink.count - start)
      return false
    }
    isFirst = sink.count == firstMember
    endRecord()
    return true
  }

  /// Ends writing and returns all bytes.
  consuming func finish() -> ByteBlock { sink.finish() }

  // MARK: Properties

  /// Writes a property.
  @inlinable
  public mutating func write<Value: DirectValue>(_ key: StaticString, _ value: Value) {
    begin(key)
    value.write(to: &self)
  }

  /// Writes a property, or nothing for nil.
  @inlinable
  public mutating func writeIfPresent<Value: DirectValue>(_ key: StaticString, _ value: Value?) {
    if let value { write(key, value) }
  }

  /// Notes a key. It is written together with its value.
  @inlinable
  mutating func begin(_ key: StaticString) {
    if needsValue { stopWithoutValue() }
    self.key = key
    needsValue = true
  }

  @usableFromInline
  func stopWithoutValue() -> Never {
    // Not a precondition: a release build would drop its message.
    fatalError("write(to:) of a DirectValue writes no value under “\(key)”. Make it write one.")
  }

  /// Writes the key before its value.
  @inline(__always)
  private mutating func writeKey() {
    if !needsValue { fatalError("write(to:) of a DirectValue writes two values under “\(key)”. Make it write one.") }
    needsValue = false
    switch form {
    case .json: JSONText.append(key: key, isFirst: isFirst, to: &sink)
    case .xml: XMLText.append(recordKey: key, to: &sink)
    case .binary: binary.write(key, &sink)
    case .binaryCount: binary.count.add(key: key)
    }
    isFirst = false
  }
}

// MARK: - Values

extension RecordWriter {
  mutating func append(_ value: Bool) {
    writeKey()
    switch form {
    case .json: sink.append(value ? "true" : "false")
    case .xml: sink.append(value ? "<true/>\n" : "<false/>\n")
    case .binary: binary.values.append(binary.objects.write(value, to: &sink))
    case .binaryCount: binary.count.add(value)
    }
  }

  mutating func append(_ value: Int64) {
    writeKey()
    switch form {
    case .json: sink.append(decimal: value)
    case .xml:
      XMLText.append(integer: value, to: &sink)
      sink.append(UInt8(ascii: "\n"))
    case .binary: binary.values.append(binary.objects.write(value, to: &sink))
    case .binaryCount: binary.count.addOwn(1)
    }
  }

  mutating func append(_ value: Double) {
    writeKey()
    switch form {
    case .json: JSONText.append(value, to: &sink)
    case .xml:
      XMLText.append(value, to: &sink)
      sink.append(UInt8(ascii: "\n"))
    case .binary: binary.values.append(binary.objects.write(value, to: &sink))
    case .binaryCount: binary.count.addOwn(1)
    }
  }

  mutating func append(_ value: String) {
    writeKey()
    switch form {
    case .json: JSONText.append(value, to: &sink)
    case .xml:
      XMLText.append(value, to: &sink)
      sink.append(UInt8(ascii: "\n"))
    case .binary: binary.values.append(binary.objects.write(value, to: &sink))
    case .binaryCount: binary.count.addOwn(1)
    }
  }

  mutating func append(date seconds: Double) {
    writeKey()
    switch form {
    case .json: JSONText.append(date: seconds, to: &sink)
    case .xml:
      XMLText.append(date: seconds, to: &sink)
      sink.append(UInt8(ascii: "\n"))
    case .binary: binary.values.append(binary.objects.write(date: seconds, to: &sink))
    case .binaryCount: binary.count.addOwn(1)
    }
  }

  mutating func append(_ value: [String]) {
    writeKey()
    switch form {
    case .json:
      sink.append(UInt8(ascii: "["))
      for (index, text) in value.enumerated() {
        if index > 0 { sink.append(UInt8(ascii: ",")) }
        JSONText.append(text, to: &sink)
      }
      sink.append(UInt8(ascii: "]"))
    case .xml: XMLText.append(recordTexts: value, to: &sink)
    case .binary: binary.values.append(binary.objects.write(texts: value, to: &sink))
    case .binaryCount: binary.count.addOwn(value.count + 1)
    }
  }
}
