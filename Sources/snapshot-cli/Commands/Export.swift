import SnapshotNotebook
import SnapshotStore

/// Writes notes out for another program.
struct ExportCommand: Command {
  static let name = "export"
  static let summary = "Write the notes of a store in a format of other programs"
  static let usage = "FORMAT STORE OUTPUT [--pictures DIR] [--force]"
  static let details = """
    FORMAT is one of:
    \(ForeignFormat.help)

    STORE    a store or a dump, or - for standard input
    OUTPUT   the file to write, or - for standard output; or the folder
    --force  replace OUTPUT if it is an earlier export in the same format, or empty; nothing else is
             replaced. Into a folder that is not empty, write, and replace only files of the same
             notes; nothing is deleted. A file of a note that has another name now, or one that was
             edited since it was exported, gets a name that ends in .old, which import passes over
    --pictures DIR
             a folder with files of attachments, named after their ids, to copy into a folder;
             without it no pictures are exported, only their names

    An export is for other programs, and has what the format has a place for. “snapshot-cli import”
    reads every export; the texts come back exactly. What is not in it:
      vesper   when a note was modified, if not in one of its parts
      csv      deleted notes, tags on no note, when a tag was named; nor attachments, nor when each
               part of a note was changed
      ndjson   deleted notes, tags on no note, when a tag was named
      folders  deleted notes, tags on no note, when a tag was named; nor when each part of a note was
               changed
    What “dump” writes, in ndjson or another format, is a copy of the whole store, exact, and
    “restore” makes a store of it again.

    Folders have a file for each note, named after its first line. A folder appears as a whole when
    all is written.

    In CSV, a field that a spreadsheet could take for a formula gets an apostrophe before it; import
    takes it away again.

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
    let content = try DumpFile.read(store)
    let notebook = content.value
    bar.show("writing \(output == "-" ? "standard output" : output)")
    try format.write(notebook, to: output, replacing: replaces, pictures: pictures)
    bar.finish()
    if let omission = format.omission(of: notebook) { Terminal.error.printLine("snapshot-cli: \(omission)") }
    for unknown in content.unknownKeys {
      Terminal.error.printLine("snapshot-cli: left out, as this program does not know it: \(unknown)")
    }
    if output == "-" { return }
    try Terminal.output.print("exported \(Counts.text(notebook.notes.count, "note"))\n")
  }
}
