import SnapshotStore

/// Checks a file in every respect.
struct CheckCommand: Command {
  static let name = "check"
  static let summary = "Check a file: format, checksum, every record, ids that lead nowhere"
  static let usage = "FILE [--accept]"
  static let details = """
    --accept  when nothing is wrong but the checksum, because the file was edited by hand, write the file anew with the
              right one (and in the library's layout); a file without a checksum gets one

    Prints what is wrong, one line each, and exits with 1; or one line if nothing is, and exits with 0.
    """

  private let file: String
  private let accepts: Bool

  init(_ arguments: inout ArgumentScanner) throws {
    accepts = arguments.flag("--accept")
    file = try arguments.operand("FILE")
    try arguments.finish()
  }

  func run() throws {
    let url = StoreSession(path: file).url
    let bytes = try SnapshotFile.readBytes(at: url)
    let summary: SnapshotSummary
    let notebook: Notebook
    do {
      summary = try SnapshotSummary(of: bytes, path: file)
      notebook = try SnapshotFile.decode(from: bytes, acceptingChecksumMismatch: true, path: file)
    } catch {
      try report(["\(error)"])
      throw ExitCode.found
    }
    var problems = notebook.allViolations().map { "\(file.forTerminal): \($0)" }
    let needsChecksum = summary.checksum == .mismatch || (accepts && summary.checksum == .absent)
    if accepts, problems.isEmpty, needsChecksum {
      try Failure.creating {
        let encoded = try SnapshotFile.encode(notebook, as: summary.format)
        try SnapshotFile.write(encoded.bytes, to: url, replacing: true)
      }
      return try Terminal.output.print("\(file.forTerminal): accepted, \(Counts.text(of: notebook))\n")
    }
    if summary.checksum == .mismatch {
      let advice =
        problems.isEmpty ? "if the edit is yours, “snapshot-cli check FILE --accept” renews it" : "mend the rest first"
      problems.append("\(file.forTerminal): the checksum does not match the content; \(advice)")
    }
    try report(problems)
    if !problems.isEmpty { throw ExitCode.found }
    let checksum = summary.checksum == .absent ? ", no checksum" : ""
    try Terminal.output.print("\(file.forTerminal): ok, \(Counts.text(of: notebook))\(checksum)\n")
  }

  private func report(_ problems: [String]) throws {
    for problem in problems { try Terminal.output.print(problem + "\n") }
  }
}
