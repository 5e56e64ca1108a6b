import SnapshotNotebook
import SnapshotStore

/// Checks a file for every kind of fault.
struct CheckCommand: Command {
  static let name = "check"
  static let summary = "Check a file: format, checksum, every record, every reference"
  static let usage = "FILE [--accept]"
  static let details = """
    FILE      a store or a dump, or - for standard input
    --accept  write the file anew, with the right checksum and in the library's
              layout, if the checksum is the only fault because the file was
              edited by hand. A file without a checksum gets one

    Prints one line per problem and exits with 1. Without a problem it prints one
    line and exits with 0. It also names the tables and keys that this program does
    not know, which every command keeps. It lists the copies of the file that a
    sync service may have made in a conflict.
    """

  private let file: String
  private let accepts: Bool

  init(_ arguments: inout ArgumentScanner) throws {
    accepts = arguments.flag("--accept")
    file = try arguments.operand("FILE")
    try arguments.finish()
  }

  func run() throws {
    let bytes = try DumpFile.bytes(file)
    let name = DumpFile.name(file)
    let summary: SnapshotSummary
    let content: NotebookContent
    do {
      summary = try SnapshotSummary(of: bytes, path: name)
      content = try SnapshotFile.decodeContent(
        from: bytes, path: name, options: ReadOptions(acceptsChecksumMismatch: true))
    } catch {
      try report([Failure(error).message] + wayOut(of: error))
      throw ExitCode.found
    }
    let notebook = content.value
    var problems = notebook.allViolations().map { "\(name.forTerminal): \($0)" }
    if accepts, problems.isEmpty, summary.checksum != .ok {
      try accept(content, insteadOf: bytes, as: summary.format)
      return try report(["\(name.forTerminal): accepted, \(Counts.text(of: notebook))"] + notes(on: summary, content))
    }
    if summary.checksum == .mismatch {
      let advice =
        problems.isEmpty
        ? "if you edited the file, “snapshot-cli check \(name.forTerminal) --accept” renews it" : "mend the rest first"
      problems.append("\(name.forTerminal): the checksum does not match the content; \(advice)")
    }
    if !problems.isEmpty {
      try report(problems)
      throw ExitCode.found
    }
    let checksum = summary.checksum == .absent ? ", no checksum" : ""
    try report(["\(name.forTerminal): ok, \(Counts.text(of: notebook))\(checksum)"] + notes(on: summary, content))
  }

  /// Writes the file anew, unless another program changed it in the meantime.
  private func accept(_ content: NotebookContent, insteadOf bytes: [UInt8], as format: FileFormat) throws {
    if file == "-" { throw Failure.usage("standard input cannot be written anew; leave --accept out") }
    let encoded = try SnapshotFile.encode(content, as: format)
    let url = try DumpFile.url(file)
    try Failure.creating { try SnapshotFile.replace(bytes, with: encoded, at: url) }
  }

  /// Advice for an unreadable file. In a file of another program or version there is nothing to recover.
  private func wayOut(of error: any Error) -> [String] {
    let code = (error as? SnapshotError)?.code
    if file == "-" || code == .wrongSchema || code == .newerVersion || code == .olderVersion { return [] }
    let name = DumpFile.name(file).forTerminal
    let generations = (try? SnapshotFile.generations(of: DumpFile.url(file)))?.count ?? 0
    let kept =
      generations == 0
      ? "" : ", and “snapshot-cli generations \(name)” lists \(Counts.text(generations, "older version"))"
    return ["\(name): note: “snapshot-cli recover \(name) -o OUT” saves what can be read\(kept)"]
  }

  /// Notes on content that is valid but may be unintended. Newline-delimited JSON has no trace of an empty table.
  private func notes(on summary: SnapshotSummary, _ content: NotebookContent) -> [String] {
    let names = summary.tables.map(\.name)
    let missing = Notebook.schema.fields.map(\.name).filter { !names.contains($0) }
    let name = DumpFile.name(file).forTerminal
    let tables =
      summary.format.namesEmptyTables
      ? missing.map { "\(name): note: there is no table “\($0)”; it is taken as empty" } : []
    let unknown = content.unknownKeys.map { "\(name): note: unknown to this program, and kept: \($0)" }
    let copies = file == "-" ? [] : ConflictedCopies.names(beside: file)
    return tables + unknown
      + copies.map {
        "\(name): note: “\($0.forTerminal)” looks like a conflicted copy; “snapshot-cli merge” merges it"
      }
  }

  private func report(_ lines: [String]) throws {
    for line in lines { try Terminal.output.print(line + "\n") }
  }
}
