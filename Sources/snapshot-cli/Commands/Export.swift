import SnapshotStore

/// Writes notes out for another program.
struct ExportCommand: Command {
  static let name = "export"
  static let summary = "Write the notes of a store in a format of other programs"
  static let usage = "\(ForeignFormat.choice) STORE OUTPUT [--pictures DIR] [--force]"
  static let details = """
    \(ForeignFormat.help)

    STORE    a store or a dump, or - for standard input
    OUTPUT   the file to write, or - for standard output; or the folder
    --force  replace OUTPUT if it exists; a store is never replaced. Into a folder that is not empty, write, and replace only
             files of the same notes; nothing is deleted
    --pictures
             a folder with files of attachments, named after their ids, to copy into a folder

    An export is for other programs, and has what the format has a place for: CSV, for instance, no attachments. What “dump”
    writes, in ndjson or another format, is a copy of the whole store, exact, and “restore” makes a store of it again.
    “snapshot-cli import” reads every export; the texts come back exactly.

    Folders have a file for each note, named after its first line. They hold texts, ids, tags, attachments, creation, sort and
    modification dates, and what is archived; not when each part of a note was changed, nor deleted notes, nor tags without
    notes. A folder appears as a whole when all is written.

    In CSV, a field that begins with = + - @ gets an apostrophe before it, so that no spreadsheet takes a note for a formula;
    import takes it away again.

    Examples:
      snapshot-cli export csv notes.json notes.csv
      snapshot-cli export markdown notes.json "My notes" --pictures ~/Pictures/notes
      snapshot-cli export ndjson notes.json - | jq -r 'select(.archived | not) | .text'
    """

  private let format: ForeignFormat
  private let store: String
  private let output: String
  private let replaces: Bool
  private let pictures: String?

  init(_ arguments: inout ArgumentScanner) throws {
    replaces = arguments.flag("--force")
    format = try ForeignFormat(&arguments)
    pictures = try format.pictures(&arguments)
    store = try arguments.operand("STORE")
    output = try arguments.operand("OUTPUT")
    try arguments.finish()
  }

  func run() throws {
    let bar = ProgressBar("reading \(DumpFile.name(store))")
    defer { bar.finish() }
    let notebook = try DumpFile.read(store)
    bar.show("writing \(output == "-" ? "standard output" : output)")
    try format.write(notebook, to: output, replacing: replaces, pictures: pictures)
    bar.finish()
    if let omission = format.omission(of: notebook) { Terminal.error.printLine("snapshot-cli: \(omission)") }
    if output == "-" { return }
    try Terminal.output.print("exported \(Counts.text(notebook.notes.count, "note"))\n")
  }
}
