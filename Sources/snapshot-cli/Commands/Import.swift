import Foundation
import SnapshotCommands
import SnapshotNotebook
import SnapshotStore

/// Imports notes of another program.
struct ImportCommand: StoreCommand {
  static let name = "import"
  static let summary = "Add the notes of another program to a store"
  static let parameters: [Parameter] = [
    .operand("FORMAT", .words(ForeignFormat.words), "the format of INPUT:"),
    .operand("INPUT", .anyFile, "the file, or - for standard input; or the folder"),
    .store("STORE", "the store; it is made if it does not exist"),
    .option(
      "--on-conflict", "RULE",
      .words([
        Candidate("skip", "the default: keep the store's note"), Candidate("change", "give it INPUT's content"),
        Candidate("add", "add INPUT's note with a new id"),
      ]), "the rule for a note whose id exists in the store with other content:"),
    .option(
      "--pictures", "DIR", .folder,
      """
      a folder to which the pictures in a folder of notes are copied. Without it only their names are imported, since
      the store itself keeps no files
      """
    ),
    .flag("--inline-tags", "take the tags in the texts of Markdown files too: #travel/italy, and Bear's #long tag#"),
    .flag("--dry-run", "print what would be done, and change nothing"),
  ]
  static let discussion = """
    Prints the numbers of notes that were added, changed and skipped. Existing notes are skipped, so importing a file
    twice adds nothing. A note without an id exists if a note has the same text and creation date; if INPUT gives no
    date, the same text is enough. Notes that were deleted in the store stay deleted. Those without an id come back,
    because nothing shows that they are the same. After an error in the input, or Ctrl-C, nothing is changed.

    vesper is an object with notes and tags, or one of the service's arrays: of notes, of tags, or of the ids of deleted
    notes. A tag without a name is skipped.

    Dates are ISO 8601, or as in mail: Wed, 26 Mar 2014 17:05:46 +0000. Without a zone they are in UTC. A date that
    cannot be read is reported, and a new note gets another one.

    csv is UTF-8 with commas (RFC 4180). The columns may be in any order, and only “text” is required. Tags are
    separated by two spaces.

    ndjson is for exchange with other programs. A store or a dump in the format of that name is read by
    “{tool} restore”.

    vesper-folder is the folder that Vesper itself exported, and that “export” writes. Vesper's own dates are to the
    minute, in the language and the time zone of the device. If a file was copied with its date, that date is better,
    and it also tells the zone. Otherwise TZ is the zone.

    In a folder, hidden files, symbolic links and files that are not text are skipped. Of several files with one id, the
    last modified one is used. Front matter of other programs stays in the text. So does anything that cannot be read as
    front matter, or as Vesper's lines of tags and dates. A Markdown file of another program without a title gets its
    file name as heading, and a TextBundle that of its folder. “date” is read for “created”. Without “modified” such a
    note was changed when its file was, but not before it was created. In a file that was exported here, the text is
    used, even if the title differs.

    Examples:
      {tool} import csv notes.csv notes.json --dry-run
      jq -c '.[] | {text: .body}' in.json | {tool} import ndjson - notes.json
    """

  private let format: ForeignFormat
  private let input: String
  private let session: StoreSession<Notebook>
  private var options: ImportOptions
  private let isDryRun: Bool
  private let pictures: String?
  private let takesInlineTags: Bool

  init(_ arguments: inout Arguments) throws {
    isDryRun = arguments.flag("--dry-run")
    options = ImportOptions()
    if let rule: ImportOptions.Conflict = arguments.value("--on-conflict") { options.conflicts = rule }
    format = try ForeignFormat(&arguments)
    pictures = try format.pictures(&arguments)
    takesInlineTags = arguments.flag("--inline-tags")
    if takesInlineTags, format != .markdown { throw arguments.usage("--inline-tags is only for markdown") }
    input = arguments.operand("INPUT")
    session = try StoreSession<Notebook>(&arguments)
  }

  func run() throws {
    Interruption.handle()
    let bar = ProgressBar("reading \(FileName.shown(input))")
    defer { bar.finish() }
    let work = ImportWork(bar: bar, options: options, keepsNotes: pictures != nil)
    var content = try format.read(input)
    if format == .markdown { takeInlineTags(of: &content) }
    bar.show("opening \(session.url.relativePath)")
    var report = isDryRun ? try work.rehearse(&content, session) : try work.run(&content, session)
    if let pictures, !isDryRun { try NoteFolder.copyPictures(of: content, from: input, to: pictures, &report) }
    bar.finish()
    try print(report)
    if isDryRun { Terminal.error.printLine("snapshot-cli: this was a dry run; nothing was changed") }
  }

  private func takeInlineTags(of content: inout ForeignContent) {
    if takesInlineTags {
      content.takeInlineTags()
      return
    }
    var tagged = content
    let count = tagged.takeInlineTags()
    if count == 0 { return }
    let notes = Counts.text(count, "note")
    content.remarks.append("tags in the texts of \(notes) were not taken; --inline-tags takes them")
  }

  /// An error while printing must not look like a failed import.
  private func print(_ report: ImportReport) throws {
    do {
      try ImportSummary(report).print()
    } catch let failure as CommandFailure where !isDryRun {
      throw CommandFailure("the notes were imported, but \(failure.message)", failure.exitCode)
    }
  }
}

/// The import itself, with its progress bar and its handling of Ctrl-C.
private struct ImportWork {
  let bar: ProgressBar
  let options: ImportOptions
  /// Whether the notes are needed once more, for their pictures. If not, their memory is freed before the file is
  /// written.
  let keepsNotes: Bool

  func run(_ content: inout ForeignContent, _ session: StoreSession<Notebook>) throws -> ImportReport {
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

  /// A new store is made in one piece. An error or an interruption leaves nothing of it.
  private func create(_ content: inout ForeignContent, _ url: URL) throws -> ImportReport {
    var notebook = Notebook()
    let report = try take(&content, into: &notebook)
    bar.show("saving")
    let format = FileFormat(fileName: url.lastPathComponent) ?? .json
    try CommandFailure.creating { try SnapshotFile.create(notebook, as: format, at: url) }
    return report
  }

  func rehearse(_ content: inout ForeignContent, _ session: StoreSession<Notebook>) throws -> ImportReport {
    var notebook = Notebook()
    if session.exists {
      notebook = try session.read()
    } else {
      try session.requireNoOlderVersions()
      try requireFolder(of: session.url)
    }
    return try take(&content, into: &notebook)
  }

  /// Throws the error of making the store if its folder does not exist.
  private func requireFolder(of url: URL) throws {
    let folder = url.deletingLastPathComponent()
    let path = folder.path(percentEncoded: false)
    guard access(path, W_OK | X_OK) != 0 else { return }
    let reason =
      errno == ENOENT ? "there is no directory \(folder.relativePath.forTerminal)" : String(cString: strerror(errno))
    throw CommandFailure("\(url.relativePath.forTerminal): \(reason)", .cannotCreate)
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
