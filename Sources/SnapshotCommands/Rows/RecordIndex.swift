import SnapshotStore

/// The places of the records of a table by their ids.
struct RecordIndex {
  private let table: String
  private let ids: [RecordID?]
  /// The kind of all ids; nil if there are none or several.
  private let kind: UntypedValue.Kind?
  private let places: [RecordID: [Int]]
  /// The ids by the text that a user may write for them.
  private let placesByText: [ExactText: [Int]]
  /// The key under which the records have their ids; nil if no key has them.
  private let key: String?

  /// O(bytes of the ids).
  init(_ table: UntypedTable) {
    let records = table.values
    self.table = table.name
    let key = RecordID.key(of: table)
    ids = records.map { RecordID(of: $0, under: key) }
    let kinds = Set(ids.compactMap { $0?.kind })
    kind = kinds.count == 1 ? kinds.first : nil
    var (places, texts): ([RecordID: [Int]], [ExactText: [Int]]) = ([:], [:])
    for (place, id) in ids.enumerated() {
      guard let id else { continue }
      places[id, default: []].append(place)
      texts[ExactText(id.shown), default: []].append(place)
    }
    (self.places, placesByText) = (places, texts)
    self.key = key
  }

  /// The place of the record with an id from the user: any id as JSON, or a text without quotes.
  ///
  /// - Throws: a failure with the kind of the ids that there are.
  func place(ofID text: String) throws -> Int {
    if key == nil { throw withoutKey }
    let value = UntypedValue(argument: text)
    // The JSON of a text may be that of a date, a number that is not finite, or data.
    let found =
      places[RecordID(value)] ?? value.text.flatMap { places[RecordID(UntypedValue($0))] }
      ?? placesByText[ExactText(text)] ?? []
    if found.count > 1 { throw several(text, found.count) }
    if let place = found.first { return place }
    let known =
      kind.flatMap { $0 == value.kind || $0 == .text && value.text != nil ? nil : "; its ids are \($0.plural)" } ?? ""
    throw CommandFailure(
      "there is no record with the id \(text.shortForMessage) in “\(table.shortForMessage)”\(known)", .noInput)
  }

  /// The place of the record with an id; nil if there is none.
  func place(of id: RecordID) throws -> Int? {
    guard let found = places[id] else { return nil }
    if found.count > 1 { throw several(id.shown, found.count) }
    return found.first
  }

  /// The id of a record that is to be written. The record gets it as a text if all ids are texts: its JSON may be that
  /// of a date.
  ///
  /// - Throws: a failure if it has none, or one of another kind than all records of the table.
  func id(of record: inout UntypedRecord) throws -> RecordID {
    guard var key else { throw withoutKey }
    // The first records of a table have to tell the key.
    if ids.isEmpty, record[key] == nil, let first = record.first(where: { _ in true }) { key = first.key }
    guard var value = record[key] else { throw CommandFailure("it has no “\(key.shortForMessage)”, its id", .badData) }
    if kind == .text, let text = value.text {
      value = UntypedValue(text)
      record[key] = value
    }
    if let kind, kind != value.kind {
      throw CommandFailure(
        "the ids of “\(table.shortForMessage)” are \(kind.plural), and \(value.json.shortForMessage) is \(value.kind)",
        .badData)
    }
    return RecordID(value)
  }

  /// Records with new ones among them, in the order of the ids. If the table has another order, they come last.
  func inserting(_ added: [(id: RecordID, value: UntypedValue)], into records: [UntypedValue]) -> [UntypedValue] {
    let isAscending = zip(ids, ids.dropFirst()).allSatisfy { a, b in
      guard let a, let b else { return false }
      return a < b
    }
    if !isAscending { return records + added.map(\.value) }
    var result: [UntypedValue] = []
    result.reserveCapacity(records.count + added.count)
    var rest = added.sorted { $0.id < $1.id }[...]
    for (id, record) in zip(ids, records) {
      while let new = rest.first, let id, new.id < id {
        result.append(new.value)
        rest.removeFirst()
      }
      result.append(record)
    }
    return result + rest.map(\.value)
  }

  private var withoutKey: CommandFailure {
    CommandFailure(
      "the file says that no property of “\(table.shortForMessage)” is the id of a record; change its records with the "
        + "program that made the file", .badData)
  }

  private func several(_ id: String, _ count: Int) -> CommandFailure {
    CommandFailure(
      "\(Counts.text(count, "record")) of “\(table.shortForMessage)” have the id \(id.shortForMessage)", .badData)
  }
}

extension UntypedValue.Kind {
  /// The kind of several values: “texts”, “integers”.
  fileprivate var plural: String {
    switch self {
    case .text: "texts"
    case .integer: "integers"
    case .real: "numbers with a fraction"
    case .decimal: "numbers that no Double keeps"
    case .date: "dates"
    case .data: "data"
    case .bool: "true or false"
    case .null: "null"
    case .array: "arrays"
    case .dictionary: "dictionaries"
    }
  }
}
