import SnapshotStore

/// Writes a store for another program.
struct ExportCommand<Root: Model>: StoreCommand {
  static var name: String { "export" }
  static var summary: String { "Write a store as SQL, for SQLite or PostgreSQL" }
  static var usage: String { SQLExport<Root>.usage }
  static var details: String { SQLExport<Root>.details }

  private let export: SQLExport<Root>

  init(_ arguments: inout Arguments) throws {
    let options = try SQLExport<Root>.Options(&arguments)
    let format = try arguments.operand("the format (\(SQLExport<Root>.format))")
    guard format == SQLExport<Root>.format else {
      throw arguments.usage("“\(format.forTerminal)” is not a format; there is \(SQLExport<Root>.format)")
    }
    export = try SQLExport(options, &arguments)
    try arguments.finish()
  }

  func run() throws { try export.run() }
}
