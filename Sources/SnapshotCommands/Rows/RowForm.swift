import SnapshotStore

/// How records are printed.
enum RowForm: String, CaseIterable {
  case table
  case array = "json"
  case lines = "ndjson"
  case csv
}

/// Prints records one after the other, in pieces of a moderate size, so that a reader may stop early.
protocol RowPrinter {
  mutating func print(_ record: UntypedValue) throws
  mutating func finish() throws
}

/// Bytes on their way to standard output.
struct RowOutput {
  private var bytes: [UInt8] = []
  /// The first piece is small: a reader sees the first rows at once.
  private var limit = 1 << 12

  mutating func append(_ more: some Collection<UInt8>) throws {
    bytes += more
    if bytes.count >= limit { try flush() }
  }

  mutating func append(_ text: String) throws { try append(text.utf8) }

  mutating func flush() throws {
    guard !bytes.isEmpty else { return }
    try Terminal.output.printText(bytes)
    bytes.removeAll(keepingCapacity: true)
    limit = 1 << 16
  }
}

/// Prints records as JSON: an array with a record a line, or a record a line without commas.
struct JSONRows: RowPrinter {
  private var columns: RowColumns?
  private let isArray: Bool
  private var count = 0
  private var output = RowOutput()

  /// - Parameter columns: the values to print; nil for whole records, which are printed exactly.
  init(columns: [PropertyPath]?, isArray: Bool) {
    self.columns = columns.map { RowColumns($0) }
    self.isArray = isArray
  }

  mutating func print(_ record: UntypedValue) throws {
    var sink = JSONSink(capacity: 512)
    sink.append(columns?.reduced(record) ?? record)
    if isArray { try output.append(count == 0 ? "[\n" : ",\n") }
    try output.append(sink.finish())
    if !isArray { try output.append("\n") }
    count += 1
  }

  mutating func finish() throws {
    if isArray { try output.append(count == 0 ? "[]\n" : "\n]\n") }
    try output.flush()
  }
}

extension RowColumns {
  /// An object of the values of the columns. A missing value has no key. Of several columns with one title, the first
  /// one with a value counts.
  fileprivate mutating func reduced(_ record: UntypedValue) -> UntypedValue {
    var titles = Set<ExactText>()
    let members = zip(paths, values(in: record)).compactMap { path, value -> (key: String, value: UntypedValue)? in
      guard let value, titles.insert(ExactText(path.title)).inserted else { return nil }
      return (path.title, value)
    }
    return UntypedValue(UntypedRecord(uniqueKeysWithValues: members))
  }
}

/// Prints records as CSV with a line of titles (RFC 4180, UTF-8, CRLF).
struct CSVRows: RowPrinter {
  private var columns: RowColumns
  /// Whether a column has texts and values of other kinds.
  private let areMixed: [Bool]
  private var output = RowOutput()

  /// - Parameter census: the properties of all records of the table, so that a column is written as `put` reads it.
  init(columns: [PropertyPath], _ census: PropertyCensus) throws {
    self.columns = RowColumns(columns)
    let mixed = Set(
      census.properties.filter { $0.kinds.count > 1 && $0.kinds.contains { $0.kind == .text } }.map {
        PropertyPath(key: $0.name)
      })
    areMixed = columns.map(mixed.contains)
    var titles = CSVSink()
    for column in columns { titles.append(column.title) }
    titles.endLine()
    try output.append(titles.finish())
  }

  mutating func print(_ record: UntypedValue) throws {
    var line = CSVSink(capacity: 256)
    for (value, isMixed) in zip(columns.values(in: record), areMixed) {
      // JSON tells a text from any other value.
      if isMixed, let value, value.kind == .text { line.append(value.json) } else { line.append(value) }
    }
    line.endLine()
    try output.append(line.finish())
  }

  mutating func finish() throws { try output.flush() }
}

extension PropertyPath {
  /// The title of the column: a single key as it is, other paths as a condition has them.
  var title: String {
    if steps.isEmpty { return "value" }
    return if steps.count == 1, case .key(let key) = steps[0] { key.text } else { description }
  }
}
