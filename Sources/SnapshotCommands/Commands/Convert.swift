import SnapshotStore

/// Writes a store in another format.
struct ConvertCommand<Root: Model>: StoreCommand {
  static var name: String { "convert" }
  static var summary: String { "Write a store in another format" }
  static var usage: String { "IN OUT [--format json|xml|binary|ndjson] [--replace]" }
  static var details: String {
    """
    IN            a store or a dump, or - for standard input; the format is
                  recognised
    OUT           the file to write, or - for standard output
    --format, -f  the format; by default the format of OUT's extension (.plist
                  means XML), otherwise JSON
    --replace     replace OUT even if it has other records than IN

    No format loses anything: converted back, the file is the same byte by byte.
    """
  }

  private let input: String
  private let output: FileOutput
  private let format: FileFormat?

  init(_ arguments: inout Arguments) throws {
    format = try arguments.format()
    let replaces = arguments.flag("--replace")
    input = try arguments.operand("IN")
    output = FileOutput(path: try arguments.operand("OUT"), replaces: replaces)
    try arguments.finish()
  }

  func run() throws {
    let input = try FileInput(input)
    try convert(input, as: input.model(for: Root.self))
  }

  private func convert<Known: Model>(_ input: FileInput, as type: Known.Type) throws {
    try output.write(try input.content(type), as: format ?? FileFormat(fileName: output.path) ?? .json)
  }
}
