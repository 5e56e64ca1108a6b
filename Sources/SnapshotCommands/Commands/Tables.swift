import SnapshotStore

/// Lists the tables of a file with the properties of their records.
struct TablesCommand: StoreCommand {
  static let name = "tables"
  static let summary = "List the tables of a file, and the properties of their records"
  static let usage = "FILE [--json]"
  static let details = """
    FILE    a store or a dump of any model, or - for standard input
    --json  print an array of objects with “table”, “count” and “properties”.
            A property has its “name”, the “count” of records that have it, and
            its “kinds” with the count of each

    Each property has its kinds, and how many records have it. The kinds of the
    elements of an array are in brackets.
    """

  private let file: String
  private let printsJSON: Bool

  init(_ arguments: inout Arguments) throws {
    printsJSON = arguments.flag("--json")
    file = try arguments.operand("FILE")
    try arguments.finish()
  }

  func run() throws {
    let content = try RecordFile(file).content
    let tables = content.tables.map { ($0.name, $0.count, PropertyCensus($0.values).properties) }
    if printsJSON { return try printJSON(tables) }
    for (name, count, properties) in tables {
      try Terminal.output.print("\(Terminal.output.bold(name.forTerminal))  \(Counts.text(count, "record"))\n")
      let names = properties.map { Cell(text: $0.name.forTerminal) }
      let width = min(names.map(\.width).max() ?? 0, 40)
      for (cell, property) in zip(names, properties) {
        let often = property.count == count ? "" : ", in \(property.count)"
        try Terminal.output.print("  \(cell.filling(width, isOnRight: false))  \(property.kindWords)\(often)\n")
      }
    }
    for (name, value) in content.values {
      try Terminal.output.print(
        "\(Terminal.output.bold(name.forTerminal))  single value, \(value.kind.rawValue)\n")
    }
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
struct PropertyCensus {
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

  private(set) var properties: [Property] = []
  private var places: [ExactText: Int] = [:]

  init(_ records: [UntypedValue]) {
    for record in records {
      // The place of a key in the record before is where it most likely is.
      var guess = 0
      for (key, value) in record.record ?? [:] {
        let place = place(of: key, near: guess)
        guess = place + 1
        properties[place].note(value)
      }
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
    case .text: "text"
    case .date: "date"
    case .data: "data"
    case .array: "array"
    case .dictionary: "dictionary"
    }
  }
}
