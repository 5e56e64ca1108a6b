import SnapshotStore

/// Writes a store in another format.
struct ConvertCommand<Root: Model>: StoreCommand {
  static var name: String { "convert" }
  static var summary: String { "Write a store in another format" }
  static var parameters: [Parameter] {
    [
      .store("IN", "a store or a dump, or - for standard input; the format is recognised"),
      .operand("OUT", .file(extensions: FileFormat.extensions), "the file to write, or - for standard output"),
      .fileFormat("the format; by default the format of OUT's extension (.plist means XML), otherwise JSON"),
      .flag("--force", "replace OUT even if it has other records than IN, which an operand or --store must name then"),
    ]
  }
  static var discussion: String { "No format loses anything: converted back, the file is the same byte by byte." }

  private let input: String
  private let output: FileOutput
  private let format: FileFormat?

  init(_ arguments: inout Arguments) throws {
    format = arguments.value("--format")
    input = arguments.operand("IN")
    let replaces = arguments.flag("--force")
    // With one file, a user may mean to convert it in place. The store of the environment would be written over it.
    if replaces, arguments.isStoreFromEnvironment {
      throw arguments.usage("--force replaces OUT, so IN must be named too, as an operand or with --store")
    }
    output = FileOutput(path: arguments.operand("OUT"), replaces: replaces)
  }

  func run() throws {
    let input = try FileInput(input)
    try convert(input, as: input.model(for: Root.self))
  }

  private func convert<Known: Model>(_ input: FileInput, as type: Known.Type) throws {
    try output.write(try input.content(type), as: format ?? FileFormat(fileName: output.path) ?? .json)
  }
}
