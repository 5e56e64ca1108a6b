import SnapshotStore

/// Writes a whole store to a file or to standard output.
struct DumpCommand<Root: Model>: StoreCommand {
  static var name: String { "dump" }
  static var summary: String { "Write a whole store to standard output or to a file, exactly" }
  static var parameters: [Parameter] {
    [
      .store("STORE", "a store or a dump, or - for standard input"),
      .fileFormat("the format; by default the format of OUT's extension, otherwise JSON"),
      .output("the file to write; by default, and for -, standard output"),
      .flag("--force", "replace OUT even if it has other content"),
    ]
  }
  static var discussion: String { "“{tool} restore” reads every format back without loss." }

  private let store: String
  private let format: FileFormat?
  private let output: FileOutput

  init(_ arguments: inout Arguments) throws {
    format = arguments.value("--format")
    output = FileOutput(path: arguments.option("--output") ?? "-", replaces: arguments.flag("--force"))
    store = arguments.operand("STORE")
  }

  func run() throws {
    let input = try FileInput(store)
    try dump(input, as: input.model(for: Root.self))
  }

  private func dump<Known: Model>(_ input: FileInput, as type: Known.Type) throws {
    try output.write(try input.content(type), as: format ?? FileFormat(fileName: output.path) ?? .json)
  }
}
