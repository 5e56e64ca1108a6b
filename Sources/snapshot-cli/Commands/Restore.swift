import SnapshotStore

/// Makes a store of a dump.
struct RestoreCommand: Command {
  static let name = "restore"
  static let summary = "Make a store of a dump, in any format"
  static let usage = "DUMP STORE [--replace]"
  static let details = """
    DUMP       a file that “dump” wrote, or - for standard input; the format is recognised
    STORE      the store to make; its extension decides the format (.json, .plist, .bplist, .ndjson)
    --replace  replace STORE if it exists

    The dump is read and checked as a whole before anything is written.
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
    let notebook = try DumpFile.read(dump)
    let format = FileFormat(fileName: store) ?? .json
    let encoded = try SnapshotFile.encode(notebook, as: format)
    let url = try DumpFile.url(store)
    try Failure.creating {
      do {
        try SnapshotFile.write(encoded.bytes, to: url, replacing: replaces)
      } catch var error as SnapshotError where error.code == .fileExists {
        error.advice = "--replace replaces it."
        throw error
      }
    }
    try Terminal.output.print("restored \(Counts.text(of: notebook))\n")
    let violations = notebook.allViolations()
    if !violations.isEmpty {
      Terminal.error.printLine(
        "snapshot-cli: the dump has \(violations.count) problems, restored as they are; “snapshot-cli check” lists them"
      )
    }
  }
}
