import SnapshotStore

/// Adds or replaces records from standard input.
struct PutCommand<Root: Model>: StoreCommand {
  static var name: String { "put" }
  static var summary: String { "Add or replace records, from JSON or CSV on standard input" }
  static var parameters: [Parameter] {
    [
      .store("FILE", "a store of any model"), .table,
      .option("--format", "FORMAT", .words(IncomingForm.self), short: "f", "json (the default) or csv"),
      .flag(
        "--force",
        """
        write records with a property that no record has, with values of another kind, or without a property that all
        records have. The types of the tool's own model may still refuse them
        """
      ),
    ]
  }
  static var discussion: String {
    """
    JSON is a record, an array of records, or a record on each line. CSV has a line with the names of properties, then a
    line for each record, as “{tool} rows --format csv” prints it. The values of the table decide what is a text in it.
    A new column is JSON if each field is, as it would be printed; otherwise it is text. An empty field without quotes
    is no value. A record with the id of another one replaces it as a whole. Others are added, in the order of the ids.
    Either all records are written or none. The old version of the file is kept: “{tool} generations FILE” lists it.

    Examples:
      {tool} get a.json posts 7 | {tool} put b.json posts
      sqlite3 -json posts.db 'select * from posts' | {tool} put a.json posts
      {tool} put a.json posts --format csv <posts.csv
    """
  }

  private let file: String
  private let table: String
  private let isForced: Bool
  private let form: IncomingForm

  init(_ arguments: inout Arguments) throws {
    isForced = arguments.flag("--force")
    form = arguments.value("--format") ?? .json
    file = arguments.operand("FILE")
    table = arguments.operand("TABLE")
  }

  func run() throws {
    let records = try IncomingRecords(try BoundedInput.standardInput.bytes(), as: form)
    let counts = try TableChange<Root>.run(file, table: table) { table in
      let counts = try table.put(records, isForced: isForced)
      return (counts, counts.added + counts.changed > 0)
    }
    try Terminal.output.print(
      "added \(Counts.text(counts.added, "record")), changed \(counts.changed), unchanged \(counts.unchanged)\n")
  }
}

extension UntypedTable {
  /// Replaces the records with the ids of others, and inserts those with new ids in the order of the ids.
  ///
  /// - Parameter isForced: whether a record may have other properties than those of the table.
  mutating func put(
    _ records: [UntypedRecord], isForced: Bool
  ) throws -> (added: Int, changed: Int, unchanged: Int) {
    try put(isForced: isForced) { _ in records.enumerated().map { ("record \($0 + 1)", $1) } }
  }

  /// The same with records of another program. Errors name their lines.
  mutating func put(
    _ incoming: IncomingRecords, isForced: Bool
  ) throws -> (added: Int, changed: Int, unchanged: Int) {
    try put(isForced: isForced) { incoming.records(for: $0) }
  }

  private mutating func put(
    isForced: Bool, _ records: (RecordShape) -> [(place: String, record: UntypedRecord)]
  ) throws -> (added: Int, changed: Int, unchanged: Int) {
    let (index, shape) = (RecordIndex(self), RecordShape(self))
    let records = records(shape)
    var old = values
    var (added, changed): ([(id: RecordID, value: UntypedValue)], Int) = ([], 0)
    var seen = Set<RecordID>()
    for (place, incoming) in records {
      var record = incoming
      do {
        let id = try index.id(of: &record)
        if !seen.insert(id).inserted { throw CommandFailure("the id occurs twice", .badData) }
        let place = try index.place(of: id)
        let fitting = try isForced ? record : shape.fitting(record)
        let value = UntypedValue(shape.reordered(fitting, like: place.map { old[$0] }))
        try value.requireDepth()
        guard let place else {
          added.append((id, value))
          continue
        }
        if !value.isSame(as: old[place]) {
          old[place] = value
          changed += 1
        }
      } catch let failure as CommandFailure {
        throw CommandFailure("\(place): \(failure.message)", failure.exitCode)
      }
    }
    values = index.inserting(added, into: old)
    return (added.count, changed, records.count - added.count - changed)
  }
}
