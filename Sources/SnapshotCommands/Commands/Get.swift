import SnapshotStore

/// Prints one record.
struct GetCommand: StoreCommand {
  static let name = "get"
  static let summary = "Print one record as JSON, exactly"
  static let parameters: [Parameter] = [
    .readStore, .table,
    .operand(
      "ID", .recordID,
      """
      the id of the record, or its JSON: 7 is the number if there is one, otherwise the text, and '"7"' is only the
      text
      """
    ),
  ]
  static let discussion = """
    The file names the property that is the id, unless it is “id”. If there is neither, it is the first one.
    """

  private let file: String
  private let table: String
  private let id: String

  init(_ arguments: inout Arguments) throws {
    file = arguments.operand("FILE")
    table = arguments.operand("TABLE")
    id = arguments.operand("ID")
  }

  func run() throws {
    let table = try RecordFile(file).table(table)
    try Terminal.output.print(table[try RecordIndex(table).place(ofID: id)].json + "\n")
  }
}
