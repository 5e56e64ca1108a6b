import SnapshotStore

/// Prints one record.
struct GetCommand: StoreCommand {
  static let name = "get"
  static let summary = "Print one record as JSON, exactly"
  static let usage = "FILE TABLE ID"
  static let details = """
    FILE   a store or a dump of any model, or - for standard input
    TABLE  the name of a table; “{tool} tables FILE” lists them
    ID     the id of the record, or its JSON: 7 is the number if there is one,
           otherwise the text, and '"7"' is only the text. The file names the
           property that is the id, unless it is “id”. If there is neither, it
           is the first one
    """

  private let file: String
  private let table: String
  private let id: String

  init(_ arguments: inout Arguments) throws {
    file = try arguments.operand("FILE")
    table = try arguments.operand("TABLE")
    id = try arguments.operand("ID")
    try arguments.finish()
  }

  func run() throws {
    let table = try RecordFile(file).table(table)
    try Terminal.output.print(table[try RecordIndex(table).place(ofID: id)].json + "\n")
  }
}
