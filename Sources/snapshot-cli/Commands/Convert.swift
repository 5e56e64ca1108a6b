import SnapshotStore

/// Writes a store in another format.
struct ConvertCommand: Command {
  static let name = "convert"
  static let summary = "Write a store in another format"
  static let usage = "IN OUT [--format json|xml|binary|ndjson] [--replace]"
  static let details = """
    IN            a store or a dump, or - for standard input; the format is
                  recognised
    OUT           the file to write, or - for standard output
    --format, -f  the format; by default the format of OUT's extension (.plist
                  means XML), otherwise JSON
    --replace     replace OUT even if it has other records than IN

    No format loses anything: converted back, the file is the same byte by byte.
    Content that this program does not know may have characters that XML cannot
    hold, such as U+0000. Then the conversion fails and names the place, and OUT is
    unchanged.
    """

  private let input: String
  private let output: String
  private let format: FileFormat?
  private let replaces: Bool

  init(_ arguments: inout ArgumentScanner) throws {
    format = try DumpFile.format(&arguments)
    replaces = arguments.flag("--replace")
    input = try arguments.operand("IN")
    output = try arguments.operand("OUT")
    try arguments.finish()
  }

  func run() throws {
    let content = try DumpFile.read(input)
    let format = format ?? FileFormat(fileName: output) ?? .json
    try DumpFile.write(content, to: output, as: format, replacing: replaces)
  }
}
