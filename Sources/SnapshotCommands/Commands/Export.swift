import SnapshotStore

/// Writes a store for another program.
struct ExportCommand<Root: Model>: StoreCommand {
  static var name: String { "export" }
  static var summary: String { "Write a store as SQL, for SQLite or PostgreSQL" }
  static var parameters: [Parameter] { SQLExport<Root>.parameters }
  static var discussion: String { SQLExport<Root>.discussion }

  private let export: SQLExport<Root>

  init(_ arguments: inout Arguments) throws {
    _ = arguments.word()
    export = try SQLExport(&arguments)
  }

  func run() throws { try export.run() }
}
