import SnapshotNotebook
import SnapshotStore

/// Migrates a store of an older version to the current one.
struct MigrateCommand: Command {
  static let name = "migrate"
  static let summary = "Migrate a store of an older schema version to the current one"
  static let usage = "STORE [--dry-run]"
  static let details = """
    STORE      the store
    --dry-run  run every step and check its result, but write nothing

    Prints the versions and each step. The old file is kept as an older version;
    see “snapshot-cli generations”. Every command that changes a store migrates it
    before its first save, so this command is never required. A store of the
    current version stays as it is.
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

  private static func lines(on report: OpenReport.Migration?, version: Int, isDryRun: Bool) -> [String] {
    guard let report else { return ["version \(version) is current; there is nothing to migrate"] }
    let (verb, end) =
      isDryRun ? ("would run", "nothing was written") : ("ran", "the old file is kept as an older version")
    return report.steps.map { "\(verb) “\($0.forTerminal)”" } + ["version \(report.from) to \(report.to); \(end)"]
  }
}
