import Foundation
import SnapshotNotebook
import SnapshotStore

/// Takes notes over from another program.
struct ImportCommand: Command {
  static let name = "import"
  static let summary = "Add the notes of another program to a store"
  static let usage = """
    FORMAT INPUT STORE [--on-conflict skip|change|add]
                               [--pictures DIR] [--dry-run]
    """
  static let details = """
    FORMAT is one of:
    \(ForeignFormat.help)

    INPUT          the file, or - for standard input; or the folder
    STORE          the store; made if there is none
    --on-conflict  what happens to a note whose id is in the store with other content: “skip” leaves
                   the store's as it is (so unless told otherwise), “change” gives it what INPUT
                   has, “add” adds INPUT's with an id of its own
    --pictures     where the pictures of a folder go that notes refer to; without it only their names
                   are taken over, since the store itself keeps no files
    --dry-run      print what would be done, and change nothing

    Prints what was added, changed and passed over. Notes that are there already are passed over, so
    that importing a file twice adds nothing; a note without an id is there already if one has the
    same text and creation date (the same text, if INPUT gives no date). Notes that were deleted in
    the store stay deleted, but those without an id come back: nobody can tell that they are the
    same. An input with an error, and Ctrl-C, change nothing at all.

    vesper is an object with notes and tags, or one of the service's arrays: of notes, of tags, or
    of the ids of deleted notes. A tag without a name is passed over.

    CSV is UTF-8 with commas (RFC 4180). The columns may stand in any order, and only “text” is
    needed; tags are separated by two spaces, dates are ISO 8601. The ndjson here is an exchange
    with other programs; a store or a dump in the format of that name is taken back by
    “snapshot-cli restore”.

    vesper-folder is what Vesper itself exported, and what export writes here. Vesper's own dates
    are to the minute, in the language and the time zone of the device. The date of a file is
    better, if the file was copied with it; it also tells the zone. Otherwise TZ is the zone. A text
    that is no date is reported, and the note comes in with the date of its file.

    Of a folder, hidden files, symbolic links and what is not text are passed over, and of several
    files with one id all but the one that was modified last. Front matter that is not ours stays in
    the text, and so does whatever cannot be read as front matter or as Vesper's lines of tags and
    dates. A Markdown file of another program without a title gets its file name as heading. Of a
    file that was exported here, the text counts, also where its title says something else.

    Examples:
      snapshot-cli import csv notes.csv notes.json --dry-run
      jq -c '.[] | {text: .body}' other.json | snapshot-cli import ndjson - notes.json
    """

  private let format: ForeignFormat
  private let input: String
  private let session: StoreSession
  private let options: ImportOptions
  private let isDryRun: Bool
  private let pictures: String?

  init(_ arguments: inout ArgumentScanner) throws {
    isDryRun = arguments.flag("--dry-run")
    let choice = try arguments.option("--on-conflict") ?? ImportOptions.Conflict.skip.rawValue
    guard let conflicts = ImportOptions.Conflict(rawValue: choice) else {
      throw arguments.usage("“\(choice.forTerminal)” is not one of skip, change, add")
    }
    options = ImportOptions(conflicts: conflicts)
    format = try ForeignFormat(&arguments)
    pictures = try format.pictures(&arguments)
    input = try arguments.operand("INPUT")
    session = try StoreSession(path: try arguments.operand("STORE"))
    try arguments.finish()
  }

  func run() throws {
    Interruption.handle()
    let bar = ProgressBar("reading \(DumpFile.name(input))")
    defer { bar.finish() }
    let work = ImportWork(bar: bar, options: options, keepsNotes: pictures != nil)
    var content = try format.read(input)
    bar.show("opening \(session.url.relativePath)")
    var report = isDryRun ? try work.rehearse(&content, session) : try work.run(&content, session)
    if let pictures, !isDryRun { try NoteFolder.copyPictures(of: content, from: input, to: pictures, &report) }
    bar.finish()
    try print(report)
    if isDryRun { Terminal.error.printLine("snapshot-cli: this was a dry run; nothing was changed") }
  }

  /// Who is told of a failure must know that it was not the import that failed.
  private func print(_ report: ImportReport) throws {
    do {
      try ImportSummary(report).print()
    } catch let failure as Failure where !isDryRun {
      throw Failure("the notes were imported, but \(failure.message)", failure.exitCode)
    }
  }
}

/// The import itself, with the bar that shows it and the user who may end it.
private struct ImportWork {
  let bar: ProgressBar
  let options: ImportOptions
  /// Whether the notes are needed once more, for their pictures. Otherwise they make room for the file that is written.
  let keepsNotes: Bool

  func run(_ content: inout ForeignContent, _ session: StoreSession) throws -> ImportReport {
    guard session.exists else {
      try session.requireNoOlderVersions()
      return try create(&content, session.url)
    }
    return try session.write { notebook in
      let report = try take(&content, into: &notebook)
      bar.show("saving")
      return report
    }
  }

  /// A new store is made in one piece, so that neither an error nor an interruption leaves anything of it.
  private func create(_ content: inout ForeignContent, _ url: URL) throws -> ImportReport {
    var notebook = Notebook()
    let report = try take(&content, into: &notebook)
    bar.show("saving")
    let format = FileFormat(fileName: url.lastPathComponent) ?? .json
    try Failure.creating { try SnapshotFile.create(notebook, as: format, at: url) }
    return report
  }

  func rehearse(_ content: inout ForeignContent, _ session: StoreSession) throws -> ImportReport {
    var notebook = Notebook()
    if session.exists {
      notebook = try session.read()
    } else {
      try session.requireNoOlderVersions()
      try requireFolder(of: session.url)
    }
    return try take(&content, into: &notebook)
  }

  /// Throws what making the store would throw if there is no folder for it.
  private func requireFolder(of url: URL) throws {
    let folder = url.deletingLastPathComponent()
    let path = folder.path(percentEncoded: false)
    guard access(path, W_OK | X_OK) != 0 else { return }
    let reason =
      errno == ENOENT ? "there is no directory \(folder.relativePath.forTerminal)" : String(cString: strerror(errno))
    throw Failure("\(url.relativePath.forTerminal): \(reason)", .cannotCreate)
  }

  private func take(_ content: inout ForeignContent, into notebook: inout Notebook) throws -> ImportReport {
    try Interruption.begin()
    let count = content.notes.count
    bar.show("importing", finished: 0, of: count)
    let report = try notebook.importContent(content, options: options) { progress in
      bar.show("importing", finished: progress.finishedNotes, of: count)
      try Interruption.check()
    }
    if !keepsNotes { content.notes = [] }
    return report
  }
}
