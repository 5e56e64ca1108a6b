import SnapshotCommands
import SnapshotNotebook
import SnapshotStore

/// Writes notes for another program.
struct ExportCommand: StoreCommand {
  static let name = "export"
  static let summary = "Write a store in a format of other programs, or as SQL"
  static var forms: [[Parameter]] {
    [
      [
        .operand("FORMAT", .words(ForeignFormat.words), "the format of OUTPUT:"),
        .store("STORE", "a store or a dump, or - for standard input"),
        .operand("OUTPUT", .anyFile, "the file to write, or - for standard output; or the folder"),
        .option(
          "--pictures", "DIR", .folder,
          """
          a folder with files of attachments, named after their ids, to copy into a folder. Without it only the names
          of pictures are exported
          """
        ),
        .flag(
          "--force",
          """
          replace OUTPUT if it is empty, or an earlier export in the same format. Nothing else is replaced. In a
          folder that is not empty, replace only files of the same notes, and delete nothing. A file with an old name
          of a note, or edited since its export, is renamed to end in .old, which import ignores
          """
        ),
      ],
      SQLExport<Notebook>.parameters,
    ]
  }
  static let discussion = """
    An export is for other programs, and has only what its format has a place for. “{tool} import” reads every export;
    texts come back exactly. These parts are missing:
      vesper   the modification date of a note, if no part of it has that date
      csv      deleted notes, tags without notes, the dates of tag names,
               attachments, the modification dates of a note's parts
      ndjson   deleted notes, tags without notes, the dates of tag names
      folders  deleted notes, tags without notes, the dates of tag names, the
               modification dates of a note's parts

    “dump” writes an exact copy of the whole store, in ndjson or another format. “restore” makes a store from it again.

    A folder has one file per note, named after the first line of the note. It appears as a whole after everything is
    written.

    In CSV, a field that a spreadsheet could take for a formula gets an apostrophe before it. Import removes the
    apostrophe again, if the file still has all columns.

    Examples:
      {tool} export csv notes.json notes.csv
      {tool} export markdown notes.json Notes --pictures ~/Pictures/notes
      {tool} export ndjson notes.json - | jq -r 'select(.archived | not).text'

    “export sql” writes a store of any model.
    \(SQLExport<Notebook>.discussion)
    """

  private enum Export {
    case sql(SQLExport<Notebook>)
    case notes(NoteExport)
  }

  private let export: Export

  init(_ arguments: inout Arguments) throws {
    if arguments.word() != nil {
      export = .sql(try SQLExport(&arguments))
      return
    }
    let format = try ForeignFormat(&arguments)
    export = .notes(
      NoteExport(
        format: format, store: arguments.operand("STORE"), output: arguments.operand("OUTPUT"),
        replaces: arguments.flag("--force"), pictures: try format.pictures(&arguments)))
  }

  func run() throws {
    switch export {
    case .sql(let export): try export.run()
    case .notes(let export): try export.run()
    }
  }
}

/// An export of notes.
private struct NoteExport {
  let format: ForeignFormat
  let store: String
  let output: String
  let replaces: Bool
  let pictures: String?

  func run() throws {
    let bar = ProgressBar("reading \(FileName.shown(store))")
    defer { bar.finish() }
    let content = try FileInput(store).content(Notebook.self)
    let notebook = content.value
    bar.show("writing \(FileName.isStandard(output) ? "standard output" : output)")
    try format.write(notebook, to: output, replacing: replaces, pictures: pictures)
    bar.finish()
    if let omission = format.omission(of: notebook) { Terminal.error.printLine("snapshot-cli: \(omission)") }
    for unknown in content.unknownKeys {
      Terminal.error.printLine("snapshot-cli: unknown to this program, and left out: \(unknown)")
    }
    if FileName.isStream(output) { return }
    try Terminal.output.print("exported \(Counts.text(notebook.notes.count, "note"))\n")
  }
}
