import SnapshotStore

/// Writes a whole store to a file or to standard output.
struct DumpCommand<Root: Model>: StoreCommand {
  static var name: String { "dump" }
  static var summary: String { "Write a whole store to standard output or to a file, exactly" }
  static var usage: String {
    """
    STORE [--format json|xml|binary|ndjson] [-o OUT]
                             [--replace]
    """
  }
  static var details: String {
    """
    STORE         a store or a dump, or - for standard input
    --format, -f  the format; by default the format of OUT's extension, otherwise
                  JSON
    --output, -o  the file to write; by default, and for -, standard output
    --replace     replace OUT even if it has other content

    “{tool} restore” reads every format back without loss.
    """
  }

  private let store: String
  private let format: FileFormat?
  private let output: FileOutput

  init(_ arguments: inout Arguments) throws {
    format = try arguments.format()
    output = FileOutput(
      path: try arguments.option("--output", "-o") ?? "-", replaces: arguments.flag("--replace"))
    store = try arguments.operand("STORE")
    try arguments.finish()
  }

  func run() throws {
    let input = try FileInput(store)
    try dump(input, as: input.model(for: Root.self))
  }

  private func dump<Known: Model>(_ input: FileInput, as type: Known.Type) throws {
    try output.write(try input.content(type), as: format ?? FileFormat(fileName: output.path) ?? .json)
  }
}
