import SnapshotStore

/// Writes a whole store to a file or to standard output.
struct DumpCommand: Command {
  static let name = "dump"
  static let summary = "Write a whole store to standard output or to a file, exactly"
  static let usage = """
    STORE [--format json|xml|binary|ndjson] [-o OUT]
                             [--replace]
    """
  static let details = """
    STORE         a store or a dump, or - for standard input
    --format, -f  the format; by default the format of OUT's extension, otherwise
                  JSON
    --output, -o  the file to write; by default, and for -, standard output
    --replace     replace OUT even if it has other content

    “snapshot-cli restore” reads every format back without loss.
    """

  private let store: String
  private let format: FileFormat?
  private let output: String?
  private let replaces: Bool

  init(_ arguments: inout ArgumentScanner) throws {
    format = try DumpFile.format(&arguments)
    output = try arguments.option("--output", "-o")
    replaces = arguments.flag("--replace")
    store = try arguments.operand("STORE")
    try arguments.finish()
  }

  func run() throws {
    let format = format ?? output.flatMap { FileFormat(fileName: $0) } ?? .json
    try DumpFile.write(try DumpFile.read(store), to: output ?? "-", as: format, replacing: replaces)
  }
}
