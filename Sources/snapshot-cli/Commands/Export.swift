import SnapshotStore

/// Writes notes out for another program.
struct ExportCommand: Command {
  static let name = "export"
  static let summary = "Write the notes of a store in a format of other programs"
  static let usage = "\(ForeignFormat.choice) STORE OUTPUT [--force]"
  static let details = """
    \(ForeignFormat.help)

    STORE    a store or a dump, or - for standard input
    OUTPUT   the file to write, or - for standard output
    --force  replace OUTPUT if it exists; a store is never replaced

    An export is for other programs, and has what the format has a place for: CSV, for instance, no attachments. What “dump”
    writes, in ndjson or another format, is a copy of the whole store, exact, and “restore” makes a store of it again.
    “snapshot-cli import” reads every export; the texts come back exactly.

    In CSV, a field that begins with = + - @ gets an apostrophe before it, so that no spreadsheet takes a note for a formula;
    import takes it away again.

    Examples:
      snapshot-cli export csv notes.json notes.csv
      snapshot-cli export ndjson notes.json - | jq -r 'select(.archived | not) | .text'
    """

  private let format: ForeignFormat
  private let store: String
  private let output: String
  private let replaces: Bool

  init(_ arguments: inout ArgumentScanner) throws {
    replaces = arguments.flag("--force")
    format = try ForeignFormat(&arguments)
    store = try arguments.operand("STORE")
    output = try arguments.operand("OUTPUT")
    try arguments.finish()
  }

  func run() throws {
    let bar = ProgressBar("reading \(DumpFile.name(store))")
    defer { bar.finish() }
    let notebook = try DumpFile.read(store)
    bar.show("writing \(output == "-" ? "standard output" : output)")
    try format.write(notebook, to: output, replacing: replaces)
    bar.finish()
    if let omission = format.omission(of: notebook) { Terminal.error.printLine("snapshot-cli: \(omission)") }
    if output == "-" { return }
    try Terminal.output.print("exported \(Counts.text(notebook.notes.count, "note"))\n")
  }
}
