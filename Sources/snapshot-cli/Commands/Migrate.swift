import SnapshotNotebook
import SnapshotStore

/// Brings a store of an older version to the one of this program.
struct MigrateCommand: Command {
  static let name = "migrate"
  static let summary = "Bring a store of an older version of its schema to the one of this program"
  static let usage = "STORE [--dry-run]"
  static let details = """
    STORE      the store
    --dry-run  run every step and check its result, but write nothing

    Prints the versions, and each step. The old file is kept as an older version, see “snapshot-cli generations”.
    Every command that changes a store does the same before its first save, so that there is no need to migrate. A
    store that has the version of this program is left as it is.
    """

  private let store: String
  private let isDryRun: Bool

  init(_ arguments: inout ArgumentScanner) throws {
    isDryRun = arguments.flag("--dry-run")
    store = try arguments.operand("STORE")
    try arguments.finish()
  }

  func run() throws {
    let session = try StoreSession(path: store)
    let report = try SnapshotFile.migrate(Notebook.self, at: session.url, dryRun: isDryRun)
    for line in Self.lines(on: report, version: Notebook.schema.version, isDryRun: isDryRun) {
      try Terminal.output.print("\(store.forTerminal): \(line)\n")
    }
  }

  private static func lines(on report: MigrationReport?, version: Int, isDryRun: Bool) -> [String] {
    guard let report else { return ["version \(version), which is that of this program; there is nothing to migrate"] }
    let (verb, end) =
      isDryRun ? ("would run", "nothing was written") : ("ran", "the old file is kept as an older version")
    return report.steps.map { "\(verb) “\($0.forTerminal)”" } + ["version \(report.from) to \(report.to); \(end)"]
  }
}
