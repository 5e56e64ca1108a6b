import SnapshotStore

/// Prints one record, or a single value.
struct GetCommand: StoreCommand {
  static let name = "get"
  static let summary = "Print one record as JSON, exactly, or a single value"
  static let forms: [[Parameter]] = [
    [
      .readStore, .table,
      .operand(
        "ID", .recordID,
        """
        the id of the record, or its JSON: 7 is the number if there is one, otherwise the text, and '"7"' is only the
        text
        """
      ),
    ],
    [.readStore, .option("--value", "NAME", .singleValue, "print a single value of the file, not a record").required],
  ]
  static let discussion = """
    The file names the property that is the id, unless it is “id”. If there is neither, it is the first one. “{tool}
    tables” lists the single values too.
    """

  private enum Target { case record(table: String, id: String), value(String) }

  private let file: String
  private let target: Target

  init(_ arguments: inout Arguments) throws {
    file = arguments.operand("FILE")
    if let name = arguments.option("--value") {
      target = .value(name)
    } else {
      target = .record(table: arguments.operand("TABLE"), id: arguments.operand("ID"))
    }
  }

  func run() throws {
    let file = try RecordFile(file)
    let found: UntypedValue
    switch target {
    case .value(let name): found = try file.content.requiredValue(name)
    case .record(let table, let id):
      let table = try file.table(table)
      found = table[try RecordIndex(table).place(ofID: id)]
    }
    try Terminal.output.print(found.json + "\n")
  }
}

extension ParameterValue {
  /// The name of a single value of the store.
  fileprivate static var singleValue: ParameterValue {
    .listed { store in
      let input = try FileInput(store)
      return try SnapshotSummary(of: input.bytes, path: input.name).values.map { Candidate($0) }
    }
  }
}
