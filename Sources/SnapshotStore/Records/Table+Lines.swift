/// Exchange of records with spreadsheets and other programs.
extension Table {
  /// The records as newline-delimited JSON, each as a snapshot in JSON has it. O(bytes).
  ///
  /// - Throws: ``SnapshotError`` with code `unencodable`.
  public func ndjson() throws -> [UInt8] {
    var json = JSONSink()
    for record in self {
      json.append(UntypedValue(try ItemEncoder.item(forRecord: record, at: "\(record.id)")))
      json.breakLine()
    }
    return json.finish()
  }

  /// The records as CSV (RFC 4180, UTF-8, CRLF): a line of titles, then a line for each record. O(bytes).
  ///
  /// A property that any record has is a column. A text is written as it is, and quoted if it is empty. A missing value
  /// is an empty field without quotes. Any other value is its JSON, a date or data without the quotes of JSON. An
  /// apostrophe stands before a text that a spreadsheet would take for a formula. A table without records has no
  /// columns, and is empty.
  ///
  /// - Throws: ``SnapshotError`` with code `unencodable`.
  public func csv() throws -> [UInt8] {
    var keys: [ExactText] = []
    var places: [ExactText: Int] = [:]
    let records = try map { record in
      let record = UntypedRecord(
        members: try ItemEncoder.item(forRecord: record, at: "\(record.id)").allMembers ?? [], offset: 0)
      for member in record.members where places[member.key] == nil {
        places[member.key] = keys.count
        keys.append(member.key)
      }
      return record
    }
    var csv = CSVSink()
    for key in keys { csv.append(key.text) }
    if !keys.isEmpty { csv.endLine() }
    for record in records {
      var fields = [UntypedValue?](repeating: nil, count: keys.count)
      for member in record.members { if let place = places[member.key] { fields[place] = UntypedValue(member.value) } }
      for field in fields { csv.append(field) }
      csv.endLine()
    }
    return csv.finish()
  }

  /// Records from newline-delimited JSON, with the keys of the record type. O(bytes).
  ///
  /// ```swift
  /// let posts = try Table<Post>.records(ndjson: bytes)
  /// try store.write { for post in posts { try $0.posts.upsert(post) } }
  /// ```
  ///
  /// - Parameters:
  ///   - bytes: all bytes of the file.
  ///   - limits: the limits for size and depth.
  ///   - path: the name of the file in errors.
  /// - Throws: ``SnapshotError`` with the line: a fault of the file, or a line that is no record of the type.
  public static func records(
    ndjson bytes: [UInt8], limits: ReadLimits = ReadLimits(), path: String? = nil
  ) throws -> [Value] {
    do throws(SnapshotError) {
      var lines = try UntypedLines(reading: bytes, limits: limits)
      var records: [Value] = []
      while let value = try lines.next() {
        do {
          records.append(try ItemDecoder.decodeWritten(Value.self, from: value.item))
        } catch {
          throw SnapshotError.decoding(error, of: value.item, at: "line \(lines.line)", in: lines.source)
        }
      }
      return records
    } catch {
      throw path.map(error.at(path:)) ?? error
    }
  }

  /// Records from CSV with the keys of the record type as titles, as ``csv()`` writes it. O(bytes).
  ///
  /// The types of the properties decide whether a field is a text or JSON. An empty field without quotes is a missing
  /// value, or an empty text where the type needs a value. A title that is no property is an error.
  ///
  /// - Parameters:
  ///   - bytes: all bytes of the file.
  ///   - limits: the limits for sizes; `elementCount` bounds the lines and the fields of a line.
  ///   - path: the name of the file in errors.
  /// - Throws: ``SnapshotError`` with the line and the column: a fault of the file, or a line that is no record.
  public static func records(
    csv bytes: [UInt8], limits: ReadLimits = ReadLimits(), path: String? = nil
  ) throws -> [Value] {
    do throws(SnapshotError) {
      var reader = try CSVRecords<Value>(try CSVLines(reading: bytes, limits: limits))
      var records: [Value] = []
      while let record = try reader.next() { records.append(record) }
      return records
    } catch {
      throw path.map(error.at(path:)) ?? error
    }
  }
}

/// Decodes the lines of CSV. A field becomes a text first. If the type takes no text there, it becomes JSON, and so do
/// the fields of that column in the next lines.
private struct CSVRecords<Value: Decodable> {
  private var lines: CSVLines
  private let keys: [ExactText]
  private let places: [ExactText: Int]
  private var isJSON: [Bool]

  init(_ lines: CSVLines) throws(SnapshotError) {
    self.lines = lines
    keys = lines.titles.map { ExactText($0.text) }
    var places: [ExactText: Int] = [:]
    for (place, key) in keys.enumerated() {
      if places.updateValue(place, forKey: key) == nil { continue }
      throw lines.error(.duplicate, "the column \(key.text.quotedForMessage()) occurs twice", at: lines.titles[place])
    }
    self.places = places
    isJSON = keys.map { _ in false }
  }

  mutating func next() throws(SnapshotError) -> Value? {
    guard let fields = try lines.next() else { return nil }
    var values = fields.enumerated().map { place, field in value(of: field, isJSON: isJSON[place]) }
    var tried = Set<Int>()
    while true {
      let members = zip(keys, values).compactMap { key, value in
        value.map { Item.Member(key: key, value: $0, keyOffset: $0.offset) }
      }
      let item = Item(.dictionary(members), offset: fields[0].offset)
      do {
        return try ItemDecoder.decode(Value.self, from: item)
      } catch {
        guard let place = place(of: error), tried.insert(place).inserted else {
          throw SnapshotError.decoding(error, of: item, at: "line \(lines.line)", in: lines.source)
        }
        let field = fields[place]
        if values[place] == nil {
          values[place] = Item(.string(""), offset: field.offset)
        } else {
          isJSON[place].toggle()
          values[place] = value(of: field, isJSON: isJSON[place])
        }
      }
    }
  }

  private func value(of field: CSVLines.Field, isJSON: Bool) -> Item? {
    if field.text.isEmpty, !field.isQuoted { return nil }
    let value = isJSON ? UntypedValue.ofJSONOrStandIn(field) : nil
    return Item(value?.item.content ?? .string(field.text), offset: field.offset)
  }

  /// The column that does not suit its type.
  private func place(of error: any Error) -> Int? {
    switch error {
    case DecodingError.typeMismatch(_, let context), DecodingError.dataCorrupted(let context),
      DecodingError.valueNotFound(_, let context):
      context.codingPath.first.flatMap { places[ExactText($0.stringValue)] }
    case DecodingError.keyNotFound(let key, let context):
      places[ExactText((context.codingPath.first ?? key).stringValue)]
    default: nil
    }
  }
}
