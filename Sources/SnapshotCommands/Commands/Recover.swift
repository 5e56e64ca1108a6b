import Foundation
import SnapshotStore

/// Recovers the readable part of a damaged store.
struct RecoverCommand<Root: Model>: StoreCommand {
  static var name: String { "recover" }
  static var summary: String { "Write the readable part of a damaged store to a new one" }
  static var parameters: [Parameter] {
    [
      .store("STORE", "the damaged store; it stays as it is"),
      .output("the file for the recovered records; its extension decides the format, otherwise it has STORE's format")
        .required,
      .flag("--force", "replace OUT if it exists"),
    ]
  }
  static var discussion: String {
    """
    Every record that can be read is taken as it is, in the table whose name stands above it. A lost record is taken
    from the newest older version that can be read, unless the damaged store says that it was deleted. Prints each loss
    with its place, and each record that comes from an older version.

    What cannot be used goes byte for byte into a file beside OUT, named OUT.unused. So nothing disappears, and a person
    can still repair it.

    Exits with 1, since something was lost. A store without damage is refused, with 64.
    """
  }

  private let store: String
  private let output: FileOutput
  private let tool: String

  init(_ arguments: inout Arguments) throws {
    tool = arguments.toolName
    // It is required.
    output = FileOutput(path: arguments.option("--output") ?? "-", replaces: arguments.flag("--force"))
    store = arguments.operand("STORE")
  }

  func run() throws {
    try FileName.requireDifferentStreams(store, FileName.isStandard(store) ? nil : output.path)
    let isSame =
      try !FileName.isStream(store)
      && [output.path, UnusedPart.path(beside: output)].contains {
        try FileName.url(store).resolvingSymlinksInPath() == FileName.url($0).resolvingSymlinksInPath()
      }
    if isSame { throw CommandFailure.usage("recover: OUT is STORE, which must not be changed; choose another name") }
    let input = try FileInput(withoutJournal: store)
    let type = input.header != nil ? input.model(for: Root.self) : modelOfGenerations() ?? model(of: input)
    try recover(input, as: type)
  }

  /// The model of the older versions, for a file that has lost its header.
  private func modelOfGenerations() -> (any Model.Type)? {
    guard !FileName.isStream(store), let url = try? FileName.url(store) else { return nil }
    let generations = (try? SnapshotFile.generations(of: url)) ?? []
    let newest = generations.lazy.compactMap { try? FileInput(url: $0.url) }.first { $0.header != nil }
    return newest?.model(for: Root.self)
  }

  /// The model of a file whose header can be read only in part.
  private func model(of input: FileInput) -> any Model.Type {
    let found: Salvaged<UntypedModel>? = try? salvage(input)
    guard let found, !found.losses.contains(where: { $0.kind == .file && $0.code == .wrongSchema }) else {
      return Root.self
    }
    return found.content.schemaName == Root.schema.name ? Root.self : UntypedModel.self
  }

  private func recover<Known: Model>(_ input: FileInput, as type: Known.Type) throws {
    let salvaged: Salvaged<Known>
    do {
      salvaged = try salvage(input)
    } catch let error as SnapshotError where input.header == nil {
      // Without its header, the file may be another model's.
      guard let other: Salvaged<UntypedModel> = try? salvage(input) else { throw error }
      return try recover(other)
    }
    try recover(salvaged)
  }

  private func recover<Known: Model>(_ salvaged: Salvaged<Known>) throws {
    guard !salvaged.isComplete else {
      throw CommandFailure("\(store.forTerminal): nothing is wrong with it; there is nothing to recover", .usage)
    }
    let recovered =
      FileName.isStream(store)
      ? try salvaged.filled(from: SnapshotContent(Known()))
      : try salvaged.filled(fromGenerationsOf: try FileName.url(store))
    let rest = UnusedPart(salvaged.unusedBytes, beside: output)
    try rest.requirePlace()
    try output.write(recovered.content, as: FileFormat(fileName: output.path) ?? salvaged.format)
    try rest.write()
    try report(salvaged, recovered, rest)
    throw ExitCode.found
  }

  /// Even if nothing of a file is left, it has its older versions.
  private func salvage<Known: Model>(_ input: FileInput) throws -> Salvaged<Known> {
    do {
      return try FileName.isStream(store)
        ? Salvaged(of: input.bytes, path: input.name) : Salvaged(ofFileAt: try FileName.url(store))
    } catch let error as SnapshotError {
      guard !FileName.isStream(store), try hasReadableGeneration(Known.self) else { throw error }
      let words = CommandFailure(error).message
      throw CommandFailure(
        "\(words)\nkept older versions can be read: see “\(tool) generations \(store.forTerminal)”", .badData)
    }
  }

  private func hasReadableGeneration<Known: Model>(_ type: Known.Type) throws -> Bool {
    try SnapshotFile.generations(of: try FileName.url(store)).contains {
      (try? SnapshotFile.readContent(type, at: $0.url)) != nil
    }
  }

  private func report<Known: Model>(
    _ salvaged: Salvaged<Known>, _ recovered: Salvaged<Known>.Filled, _ rest: UnusedPart
  ) throws {
    let terminal = output.isStream ? Terminal.error : Terminal.output
    for loss in salvaged.losses where loss.kind != .repair {
      // A wrong checksum is a sign of damage, and no loss by itself. Nor is a conflict.
      let isNote = loss.code == .checksumMismatch || loss.kind == .file && loss.code == .duplicate
      let kind = isNote ? "note" : "lost"
      try terminal.print("\(kind): \(loss)".forTerminal + "\n")
    }
    if salvaged.lossCount > salvaged.losses.count {
      try terminal.print("and \(salvaged.lossCount - salvaged.losses.count) more\n")
    }
    if let generation = recovered.generation {
      let date = generation.date.formatted(.iso8601)
      let taken = DifferenceLines<Known>(
        recovered.taken, from: salvaged.beforeRepair.value, to: recovered.content.value)
      for line in taken.lines { try terminal.print("from generation \(generation.number) of \(date): \(line)\n") }
    }
    for line in recovered.repaired { try terminal.print("repaired: \(line)".forTerminal + "\n") }
    if !(Known.self is UntypedModel.Type) {
      for unknown in recovered.content.unknownKeys {
        try terminal.print("unknown to this program, and kept: \(unknown)\n")
      }
    }
    try terminal.print("recovered \(Counts.text(of: recovered.content))\n")
    if let line = rest.report { try terminal.print(line + "\n") }
    if salvaged.checksum != .ok {
      try terminal.print("a changed letter inside a record cannot be detected; check important records\n")
    }
  }
}
