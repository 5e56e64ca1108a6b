import SnapshotStore

/// Prints the changes of records as other programs save them.
struct WatchCommand: StoreCommand {
  static let name = "watch"
  static let summary = "Print the changes of records as they are saved"
  static var parameters: [Parameter] {
    [
      .store("FILE", "a store of any model"), .operand("TABLE", .table, "only the records of a table").optional,
      .condition(
        """
        only records that meet a condition, as “{tool} rows” has it. A record that begins to meet it counts as
        inserted, and one that ceases to meet it as removed
        """
      ),
      .option(
        "--format", "FORMAT", .words(Form.self), short: "f",
        """
        text (the default): a line with +, ~ or -, the table and the id, and for ~ the properties that differ. ndjson:
        an object with “change” (inserted, updated, removed), “table”, “id” and “record”, the new one or the removed
        one
        """
      ),
    ]
  }
  static let discussion = """
    It looks at the file four times a second until Ctrl-C. Several saves within that time are one change. A file that
    cannot be read is noted, and watched on.
    """

  /// How changes are printed.
  private enum Form: String, CaseIterable {
    case text
    case lines = "ndjson"
  }

  private let file: String
  private let table: String?
  private let query: Query
  private let form: Form

  init(_ arguments: inout Arguments) throws {
    query = try arguments.query()
    form = arguments.value("--format") ?? .text
    file = arguments.operand("FILE")
    table = arguments.optionalOperand("TABLE")
    try WatchedFile.requireFile(file, arguments)
  }

  func run() throws {
    // The watch comes first: a save after it is noticed.
    var watched = try WatchedFile(file)
    let content = try RecordFile(file).content
    if let table { _ = try content.requiredTable(table) }
    var records = WatchedRecords(content, table: table, query)
    Terminal.error.printLine("watching \(file.shortForMessage); Ctrl-C ends it")
    while watched.waitForSave() {
      let read = try watched.reading { WatchedRecords(try RecordFile(file).content, table: table, query) }
      guard let next = read else { continue }
      try print(next.changes(since: records))
      records = next
    }
  }

  private func print(_ changes: [WatchedRecords.Change]) throws {
    if changes.isEmpty { return }
    try Terminal.output.print(changes.map { (form == .lines ? $0.json : $0.line) + "\n" }.joined())
  }
}

/// The records that are watched, by table and id.
struct WatchedRecords {
  struct Change {
    enum Kind: String {
      case inserted
      case updated
      case removed
    }

    let kind: Kind
    let table: String
    let id: RecordID
    let record: UntypedValue
    /// The keys of the properties that differ.
    var keys: [String] = []
  }

  private var tables: [(name: String, records: [(id: RecordID, record: UntypedValue)])] = []

  /// - Parameter table: the only table that is watched; nil for all.
  init(_ content: SnapshotContent<UntypedModel>, table: String?, _ query: Query) {
    for other in content.tables where table.map({ ExactText($0) == ExactText(other.name) }) ?? true {
      let key = RecordID.key(of: other)
      let records = other.values.enumerated().map { place, record in
        // A record without an id is known by its place.
        (id: RecordID(of: record, under: key) ?? RecordID(UntypedValue(place)), record: record)
      }
      tables.append((other.name, records.filter { query.matches($0.record) }))
    }
  }

  /// The changes from an older state to this one, in the order of the file. O(bytes of both).
  func changes(since old: WatchedRecords) -> [Change] {
    var before = Dictionary(old.tables.map { (ExactText($0.name), $0.records) }) { first, _ in first }
    var changes: [Change] = []
    for (name, records) in tables {
      changes += Self.changes(name, before.removeValue(forKey: ExactText(name)) ?? [], records)
    }
    for (name, records) in old.tables where before[ExactText(name)] != nil {
      changes += records.map { Change(kind: .removed, table: name, id: $0.id, record: $0.record) }
    }
    return changes
  }

  private static func changes(
    _ table: String, _ old: [(id: RecordID, record: UntypedValue)], _ new: [(id: RecordID, record: UntypedValue)]
  ) -> [Change] {
    var before = Dictionary(old.map { ($0.id, $0.record) }) { first, _ in first }
    let changes = new.compactMap { id, record -> Change? in
      guard let known = before.removeValue(forKey: id) else {
        return Change(kind: .inserted, table: table, id: id, record: record)
      }
      if known.isSame(as: record) { return nil }
      return Change(kind: .updated, table: table, id: id, record: record, keys: differingKeys(known, record))
    }
    return changes
      + old.filter { before[$0.id] != nil }.map { Change(kind: .removed, table: table, id: $0.id, record: $0.record) }
  }

  private static func differingKeys(_ old: UntypedValue, _ new: UntypedValue) -> [String] {
    guard let old = old.record, let new = new.record else { return [] }
    // A record may have very many keys, and a record searches for each.
    var before = Dictionary(old.map { (ExactText($0.key), $0.value) }) { first, _ in first }
    let changed = new.filter { key, value in
      before.removeValue(forKey: ExactText(key)).map { !$0.isSame(as: value) } ?? true
    }.map(\.key)
    return changed + old.filter { before[ExactText($0.key)] != nil }.map(\.key)
  }
}

extension WatchedRecords.Change {
  /// `~ notes 7  text, tags`.
  fileprivate var line: String {
    let mark =
      switch kind {
      case .inserted: "+"
      case .updated: "~"
      case .removed: "-"
      }
    let names = keys.isEmpty ? "" : "  " + keys.joined(separator: ", ").forTerminal
    return "\(mark) \(table.forTerminal) \(id.shown.forTerminal)\(names)"
  }

  fileprivate var json: String {
    UntypedValue(
      [
        "change": UntypedValue(kind.rawValue), "table": UntypedValue(table), "id": id.value, "record": record,
      ] as UntypedRecord
    ).json
  }
}
