import SnapshotStore

/// Lists the tables of a file with the properties of their records.
struct TablesCommand: StoreCommand {
  static let name = "tables"
  static let summary = "List the tables of a file, and the properties of their records"
  static let parameters: [Parameter] = [
    .readStore,
    .flag(
      "--json",
      """
      print an array of objects with “table”, “count” and “properties”. A property has its “name”, the “count” of
      records that have it, and its “kinds” with the count of each
      """
    ),
  ]
  static let discussion = """
    Each property has its kinds, and how many records have it. The kinds of the elements of an array are in brackets.
    """

  private let file: String
  private let printsJSON: Bool

  init(_ arguments: inout Arguments) throws {
    printsJSON = arguments.flag("--json")
    file = arguments.operand("FILE")
  }

  func run() throws {
    let (content, tables) = try FileInput(file).content { _ in PropertyCensus() }
    if printsJSON { return try printJSON(tables.map { ($0.table, $0.fold.count, $0.fold.properties) }) }
    for (name, census) in tables {
      try printTitle(name, Counts.text(census.count, "record"))
      let properties = (census.plainValues.map { [$0] } ?? []) + census.properties
      let names = properties.map { Cell(text: $0.name.forTerminal) }
      let width = min(names.map(\.width).max() ?? 0, 40, columns / 2)
      for (cell, property) in zip(names, properties) {
        let often = property.count == census.count ? "" : ", in \(property.count)"
        let name = columns == .max && cell.width > width ? cell.text : cell.filling(width, isOnRight: false)
        try printLine("  \(name)  \(property.kindWords)\(often)")
      }
    }
    for (name, value) in content.values { try printTitle(name, "single value, \(value.kind.rawValue)") }
  }

  /// The width of a line. Elsewhere than on a terminal nothing is cut.
  private var columns: Int { Terminal.output.isTerminal ? Terminal.output.columns ?? .max : .max }

  private func printTitle(_ name: String, _ words: String) throws {
    let line = "\(name.forTerminal)  \(words)"
    // The style of a line that is cut would be cut too.
    if line.displayWidth > columns { return try printLine(line) }
    try Terminal.output.print(Terminal.output.bold(name.forTerminal) + "  \(words)\n")
  }

  private func printLine(_ line: String) throws {
    let cell = Cell(text: line)
    try Terminal.output.print((cell.width > columns ? cell.filling(columns, isOnRight: false) : line) + "\n")
  }

  private func printJSON(_ tables: [(String, Int, [PropertyCensus.Property])]) throws {
    var sink = JSONSink()
    sink.beginArray()
    for (name, count, properties) in tables {
      sink.breakLine()
      sink.beginObject()
      sink.key("table")
      sink.append(name)
      sink.key("count")
      sink.append(Int64(count))
      sink.key("properties")
      sink.beginArray()
      for property in properties {
        sink.append(
          UntypedValue(
            [
              "name": UntypedValue(property.name), "count": UntypedValue(property.count),
              "kinds": UntypedValue(
                property.kinds.reduce(into: UntypedRecord()) { $0[$1.kind.shortName] = UntypedValue($1.count) }),
            ] as UntypedRecord))
      }
      sink.endArray()
      sink.endObject()
    }
    sink.breakLine()
    sink.endArray()
    try Terminal.output.print(String(decoding: sink.finish(), as: UTF8.self) + "\n")
  }
}

/// The properties of records: their kinds, and how often they are there.
struct PropertyCensus: RecordFold {
  struct Property {
    let name: String
    var count = 0
    /// The kinds, in the order in which they come first.
    var kinds: [(kind: UntypedValue.Kind, count: Int)] = []
    var elementKinds: [UntypedValue.Kind] = []

    /// `text`, `integer or null`, `array (text)`.
    var kindWords: String {
      kinds.map { kind, _ in
        let elements = kind == .array ? elementKinds.map(\.shortName).joined(separator: ", ") : ""
        return kind.shortName + (elements.isEmpty ? "" : " (\(elements))")
      }.joined(separator: " or ")
    }
  }

  /// The number of records.
  private(set) var count = 0
  private(set) var properties: [Property] = []
  /// The records that are plain values, such as texts, as a property; nil if there are none.
  private(set) var plainValues: Property?
  private var places: [ExactText: Int] = [:]

  /// A census of no records.
  init() {}

  init(_ records: [UntypedValue]) {
    for record in records { _ = add(record) }
  }

  mutating func add(_ record: UntypedValue) -> Bool {
    count += 1
    guard let members = record.record else {
      plainValues = plainValues ?? Property(name: PropertyPath.plainValue.title)
      plainValues?.note(record)
      return false
    }
    // The place of a key in the record before is where it most likely is.
    var guess = 0
    for (key, value) in members {
      let place = place(of: key, near: guess)
      guess = place + 1
      properties[place].note(value)
    }
    return false
  }

  mutating func append(_ next: PropertyCensus) {
    count += next.count
    if let more = next.plainValues { plainValues = plainValues?.adding(more) ?? more }
    for property in next.properties {
      let place = place(of: property.name, near: properties.count)
      properties[place] = properties[place].adding(property)
    }
  }

  private mutating func place(of key: String, near guess: Int) -> Int {
    if guess < properties.count, ExactText(properties[guess].name) == ExactText(key) { return guess }
    if let place = places[ExactText(key)] { return place }
    places[ExactText(key)] = properties.count
    properties.append(Property(name: key))
    return properties.count - 1
  }
}

extension PropertyCensus.Property {
  /// The property in these records and in those that follow.
  fileprivate func adding(_ next: Self) -> Self {
    var sum = self
    sum.count += next.count
    for (kind, count) in next.kinds {
      if let place = kinds.firstIndex(where: { $0.kind == kind }) {
        sum.kinds[place].count += count
      } else {
        sum.kinds.append((kind, count))
      }
    }
    sum.elementKinds += next.elementKinds.filter { !elementKinds.contains($0) }
    return sum
  }

  fileprivate mutating func note(_ value: UntypedValue) {
    count += 1
    let kind = value.kind
    if let place = kinds.firstIndex(where: { $0.kind == kind }) {
      kinds[place].count += 1
    } else {
      kinds.append((kind, 1))
    }
    for element in value.array ?? [] where !elementKinds.contains(element.kind) { elementKinds.append(element.kind) }
  }
}

extension UntypedValue.Kind {
  /// The kind in one word.
  var shortName: String {
    switch self {
    case .null: "null"
    case .bool: "bool"
    case .integer: "integer"
    case .real: "real"
    case .decimal: "decimal"
    case .text: "text"
    case .date: "date"
    case .data: "data"
    case .array: "array"
    case .dictionary: "dictionary"
    }
  }
}
