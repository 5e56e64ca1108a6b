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
  var isFirst = true
  /// The objects of a binary list.
  var binary = BinaryRecords()
  private let recordStart: [UInt8]
  private let recordEnd: StaticString

  /// A writer of records.
  ///
  /// - Parameters:
  ///   - recordStart: what stands before the first property of a record.
  ///   - recordEnd: what stands between the last property and the start of the next record.
  init(_ form: Form, recordStart: [UInt8] = [UInt8(ascii: "{")], recordEnd: StaticString) {
    self.form = form
    self.recordStart = recordStart
    self.recordEnd = recordEnd
    sink = ByteSink()
  }

  mutating func beginRecord() {
    switch form {
    case .json, .xml: sink.append(contentsOf: recordStart)
    case .binary: binaryBeginRecord()
    case .binaryCount: break
    }
    isFirst = true
  }

  mutating func endRecord() {
    switch form {
    case .json: sink.append(recordEnd)
    case .xml: if isFirst { endEmptyXML() } else { sink.append(recordEnd) }
    case .binary: binaryEndRecord()
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
      jsonKey(key)
      sink.append(value ? "true" : "false")
    case .xml:
      xmlKey(key)
      sink.append(value ? "<true/>\n" : "<false/>\n")
    case .binary:
      binaryKey(key)
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
      jsonKey(key)
      sink.append(decimal: value)
    case .xml:
      xmlKey(key)
      XMLText.append(integer: value, to: &sink)
      sink.append(UInt8(ascii: "\n"))
    case .binary:
      binaryKey(key)
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
      jsonKey(key)
      JSONText.append(value, to: &sink)
    case .xml:
      xmlKey(key)
      XMLText.append(value, to: &sink)
      sink.append(UInt8(ascii: "\n"))
    case .binary:
      binaryKey(key)
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
      jsonKey(key)
      JSONText.append(value, to: &sink)
    case .xml:
      xmlKey(key)
      XMLText.append(value, to: &sink)
      sink.append(UInt8(ascii: "\n"))
    case .binary:
      binaryKey(key)
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
      jsonKey(key)
      JSONText.append(date: value.timeIntervalSinceReferenceDate, to: &sink)
    case .xml:
      xmlKey(key)
      XMLText.append(date: value.timeIntervalSinceReferenceDate, to: &sink)
      sink.append(UInt8(ascii: "\n"))
    case .binary:
      binaryKey(key)
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
      jsonKey(key)
      sink.append(UInt8(ascii: "["))
      for (index, text) in value.enumerated() {
        if index > 0 { sink.append(UInt8(ascii: ",")) }
        JSONText.append(text, to: &sink)
      }
      sink.append(UInt8(ascii: "]"))
    case .xml:
      xmlKey(key)
      xmlTexts(value)
    case .binary:
      binaryKey(key)
      binary.values.append(binary.objects.write(texts: value, to: &sink))
    case .binaryCount:
      binary.count.add(key: key)
      binary.count.addOwn(value.count + 1)
    }
  }

  private mutating func jsonKey(_ key: StaticString) {
    let length = key.utf8CodeUnitCount
    let place = sink.reserve(length + 4)
    var next = 0
    if !isFirst {
      place[0] = UInt8(ascii: ",")
      next = 1
    }
    isFirst = false
    place[next] = UInt8(ascii: "\"")
    (place + next + 1).update(from: key.utf8Start, count: length)
    place[next + 1 + length] = UInt8(ascii: "\"")
    place[next + 2 + length] = UInt8(ascii: ":")
    sink.advance(next + length + 3)
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
