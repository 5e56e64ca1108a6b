import SnapshotStore

/// The form of records from another program.
enum IncomingForm: String, CaseIterable {
  case json
  case csv
}

/// Records from another program, each with its place in messages.
struct IncomingRecords {
  /// The records in JSON.
  private(set) var json: [(place: String, record: UntypedRecord)] = []
  private var titles: [String] = []
  private var csv: [(place: String, fields: [CSVLines.Field])] = []

  /// - Throws: `SnapshotError` with the line.
  init(_ bytes: [UInt8], as form: IncomingForm, name: String = "standard input") throws {
    do {
      switch form {
      case .json: json = try Self.read(bytes)
      case .csv: try readCSV(bytes)
      }
    } catch var error as SnapshotError {
      error.path = name
      throw error
    }
  }

  /// The number of records.
  var count: Int { json.count + csv.count }

  /// The records. In CSV the kinds of the values that a table has decide what is a text. A column that the table
  /// does not have is JSON if each of its fields is, as the library writes it; otherwise it is text.
  func records(for shape: RecordShape) -> [(place: String, record: UntypedRecord)] {
    let columns = titles.enumerated().map { place, title in
      let known = shape.kinds(of: title)
      let kinds = known.isEmpty ? self.kinds(ofColumn: place) : known
      return (title: title, kinds: kinds, isText: shape.isTextEverywhere(title))
    }
    return json
      + csv.map { place, fields in
        let members = zip(columns, fields).compactMap { column, field in
          // A spreadsheet drops the quotes of an empty text.
          let value = UntypedValue(cell: field, as: column.kinds) ?? (column.isText ? UntypedValue("") : nil)
          return value.map { (key: column.title, value: $0) }
        }
        return (place, UntypedRecord(uniqueKeysWithValues: members))
      }
  }

  /// The kinds of a column that the table does not have; empty for JSON.
  ///
  /// It is JSON if each field comes back as it is when it is read as JSON and written again: 12, and not 012 or 1.20,
  /// which are numbers of parts or of places. A column of several kinds has JSON too, except for dates, data and
  /// numbers that are not finite. It is told by its texts, which are in the quotes of JSON.
  private func kinds(ofColumn column: Int) -> [UntypedValue.Kind] {
    var (isJSON, isMixed, hasText) = (true, true, false)
    for (_, fields) in csv {
      guard let value = UntypedValue(cell: fields[column], as: []) else { continue }
      let isSame = ExactText(value.json) == ExactText(fields[column].text)
      let isBare = value.kind == .text && UntypedValue(cell: fields[column], as: [.date, .real, .data])?.kind != .text
      if !isSame { isJSON = false }
      if !isSame, !isBare { isMixed = false }
      if isSame, value.kind == .text { hasText = true }
    }
    return isMixed && hasText ? Self.allKinds : isJSON ? [] : [.text]
  }

  private static let allKinds: [UntypedValue.Kind] = [
    .null, .bool, .integer, .real, .decimal, .text, .date, .data, .array, .dictionary,
  ]

  private mutating func readCSV(_ bytes: [UInt8]) throws {
    var lines = try CSVLines(reading: bytes)
    if lines.titles.count == 1, !lines.titles[0].isQuoted,
      let other = lines.titles[0].text.first(where: { $0 == ";" || $0 == "\t" })
    {
      let name = other == ";" ? "semicolons" : "tabs"
      throw lines.error(.malformed, "the columns are separated by \(name); save it with commas", at: lines.titles[0])
    }
    var seen = Set<ExactText>()
    for title in lines.titles where !seen.insert(ExactText(title.text)).inserted {
      throw lines.error(.duplicate, "the column “\(title.text.shortForMessage)” occurs twice", at: title)
    }
    titles = lines.titles.map(\.text)
    while let fields = try lines.next() { csv.append(("line \(lines.line)", fields)) }
  }

  // MARK: JSON

  /// The records of an object, an array of objects, or lines of objects.
  private static func read(_ bytes: [UInt8]) throws -> [(place: String, record: UntypedRecord)] {
    let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    let isArray = first == UInt8(ascii: "[")
    if first == nil { return [] }
    if !isArray, let records = try? lines(bytes) { return records }
    let document: UntypedDocument
    do {
      document = try UntypedDocument(reading: bytes)
    } catch {
      // The error of the lines names the right place, unless the first object goes over several lines.
      if isArray { throw error }
      return try lines(bytes)
    }
    let values = document.root.kind == .array ? document.root.array ?? [] : [document.root]
    return try values.enumerated().map { number, value in
      if value.kind == .dictionary, let record = value.record { return ("record \(number + 1)", record) }
      throw document.error(.invalidValue, "expected an object, found \(value.kind)", at: value)
    }
  }

  private static func lines(_ bytes: [UInt8]) throws -> [(place: String, record: UntypedRecord)] {
    var lines = try UntypedLines(reading: bytes)
    var records: [(place: String, record: UntypedRecord)] = []
    while let value = try lines.next() {
      guard value.kind == .dictionary, let record = value.record else {
        throw lines.error(.invalidValue, "expected an object, found \(value.kind)", at: value)
      }
      records.append(("line \(lines.line)", record))
    }
    return records
  }
}
