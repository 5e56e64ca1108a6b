import SnapshotStore

/// Migrates a store of an older version to the current one.
struct MigrateCommand<Root: Model>: StoreCommand {
  static var name: String { "migrate" }
  static var summary: String { "Migrate a store of an older schema version to the current one" }
  static var parameters: [Parameter] {
    [
      .store("STORE", "the store"),
      .flag("--dry-run", "run every step and check its result, but write nothing"),
    ]
  }
  static var discussion: String {
    """
    Prints the versions and each step. The old file is kept as an older version; see “{tool} generations”. Every command
    that changes a store migrates it before its first save, so this command is never required. A store of the current
    version stays as it is. What is wrong in the result is printed, and makes the exit code 1.
    """
  }

  private let session: StoreSession<Root>
  private let name: String
  private let isDryRun: Bool

  init(_ arguments: inout Arguments) throws {
    isDryRun = arguments.flag("--dry-run")
    name = arguments.operand("STORE")
    session = try StoreSession(path: name)
  }

  func run() throws {
    try session.requireFile()
    let report = try CommandFailure.creating {
      try waitingForOthers {
        try SnapshotFile.migrate(Root.self, at: session.url, dryRun: isDryRun, waitingAtMost: $0)
      }
    }
    let violations = try isDryRun || report != nil ? session.readContent().value.allViolations() : []
    for line in Self.lines(on: report, version: Root.schema.version, isDryRun: isDryRun) {
      try Terminal.output.print("\(name.forTerminal): \(line)\n")
    }
    for violation in violations { try Terminal.output.print("\(name.forTerminal): \(violation.forTerminal)\n") }
    if !violations.isEmpty { throw ExitCode.found }
  }

  private static func lines(on report: OpenReport.Migration?, version: Int, isDryRun: Bool) -> [String] {
    guard let report else { return ["version \(version) is current; there is nothing to migrate"] }
    let (verb, end) =
      isDryRun ? ("would run", "nothing was written") : ("ran", "the old file is kept as an older version")
    return report.steps.map { "\(verb) “\($0.forTerminal)”" } + ["version \(report.from) to \(report.to); \(end)"]
  }
}
