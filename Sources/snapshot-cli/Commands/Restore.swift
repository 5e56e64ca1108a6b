import Foundation
import SnapshotStore

/// Makes a store from a dump.
struct RestoreCommand: Command {
  static let name = "restore"
  static let summary = "Make a store from a dump in any format"
  static let usage = "DUMP STORE [--replace]"
  static let details = """
    DUMP       a file that “dump” wrote, or - for standard input; the format is
               recognised
    STORE      the store to make; its extension decides the format (.json, .plist,
               .bplist, .ndjson)
    --replace  replace STORE if it exists. Its old content stays as the newest
               older version (see “snapshot-cli generations --help”). A file that
               cannot be read as a store stays beside it

    The whole dump is read and checked before anything is written.
    """

  private let dump: String
  private let store: String
  private let replaces: Bool

  init(_ arguments: inout ArgumentScanner) throws {
    replaces = arguments.flag("--replace")
    dump = try arguments.operand("DUMP")
    store = try arguments.operand("STORE")
    try arguments.finish()
  }

  func run() throws {
    let content = try DumpFile.read(dump)
    let notebook = content.value
    let format = FileFormat(fileName: store) ?? .json
    let url = try DumpFile.url(store)
    try Failure.creating {
      if replaces {
        let kept = try SnapshotFile.restore(content, as: format, at: url)
        if let kept { Terminal.error.printLine("snapshot-cli: the old file stays as \(kept.forTerminal)") }
      } else {
        try write(content, as: format, to: url)
      }
    }
    try Terminal.output.print("restored \(Counts.text(of: notebook))\n")
    let violations = notebook.allViolations()
    if !violations.isEmpty {
      Terminal.error.printLine(
        "snapshot-cli: the dump has \(Counts.text(violations.count, "problem")), and is restored as it is; "
          + "“snapshot-cli check” lists them"
      )
    }
  }

  private func write(_ content: NotebookContent, as format: FileFormat, to url: URL) throws {
    do {
      try SnapshotFile.create(content, as: format, at: url)
    } catch var error as SnapshotError where error.code == .fileExists {
      error.advice = "--replace replaces it."
      throw error
    }
  }
}
