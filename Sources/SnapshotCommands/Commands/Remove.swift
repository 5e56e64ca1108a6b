import SnapshotStore

/// Removes records.
struct RemoveCommand<Root: Model>: StoreCommand {
  static var name: String { "remove" }
  static var summary: String { "Remove records of a table" }
  static var parameters: [Parameter] { [.store("FILE", "a store of any model"), .table, .recordID.repeated] }
  static var discussion: String {
    """
    Either all records are removed, or none if one of them does not exist. The old version of the file is kept:
    “{tool} generations FILE” lists it.
    """
  }

  private let file: String
  private let table: String
  private let ids: [String]

  init(_ arguments: inout Arguments) throws {
    file = arguments.operand("FILE")
    table = arguments.operand("TABLE")
    ids = arguments.operands("ID")
  }

  func run() throws {
    let count = try TableChange<Root>.run(file, table: table) { table in
      let index = RecordIndex(table)
      let places = try Set(ids.map { try index.place(ofID: $0) })
      table.values = table.values.enumerated().filter { !places.contains($0.offset) }.map(\.element)
      return (places.count, true)
    }
    try Terminal.output.print("removed \(Counts.text(count, "record"))\n")
  }
}
