import SnapshotStore

/// Writes a whole store out.
struct DumpCommand: Command {
  static let name = "dump"
  static let summary = "Write a whole store to standard output or to a file, exactly"
  static let usage = "STORE [--format json|xml|binary|ndjson] [-o OUT] [--replace]"
  static let details = """
    --format, -f  the format; otherwise that of OUT's extension, otherwise JSON
    --output, -o  the file to write; otherwise standard output
    --replace     replace OUT even if it holds something else

    “snapshot-cli restore” takes every format back without loss.
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
    let notebook = try StoreSession(path: store).read()
    if let output, output != "-" {
      let format = format ?? FileFormat(fileName: output) ?? .json
      return try DumpFile.write(notebook, to: output, as: format, replacing: replaces)
    }
    let format = format ?? .json
    if format == .binary, Terminal.output.isTerminal {
      throw Failure.usage("a binary property list is not for a terminal; give -o OUT, or pipe it")
    }
    let encoded = try SnapshotFile.encode(notebook, as: format)
    if Terminal.output.isTerminal {
      try Terminal.output.print(String(decoding: encoded.bytes, as: UTF8.self).forTerminalLines)
    } else {
      try Terminal.output.write(encoded.bytes)
    }
  }
}
