import Foundation
import SnapshotNotebook
import SnapshotStore

/// Recovers the readable part of a damaged store.
struct RecoverCommand: Command {
  static let name = "recover"
  static let summary = "Write the readable part of a damaged store to a new one"
  static let usage = "STORE -o OUT [--replace]"
  static let details = """
    STORE      the damaged store; it stays as it is
    -o OUT     the file for the recovered records; its extension decides the
               format, otherwise it has STORE's format
    --replace  replace OUT if it exists

    Every record that can be read is taken as it is. A lost record is taken from
    the newest older version that can be read, unless the damaged store says that
    it was deleted. Prints each loss with its place, and each record that comes
    from an older version.

    Exits with 1, since something was lost. A store without damage is refused, with
    64.
    """

  private let store: String
  private let output: String
  private let replaces: Bool

  init(_ arguments: inout ArgumentScanner) throws {
    guard let output = try arguments.option("--output", "-o") else { throw arguments.usage("-o OUT is missing") }
    self.output = output
    replaces = arguments.flag("--replace")
    store = try arguments.operand("STORE")
    try arguments.finish()
  }

  func run() throws {
    let isSame =
      try store != "-"
      && DumpFile.url(store).resolvingSymlinksInPath() == DumpFile.url(output).resolvingSymlinksInPath()
    if isSame { throw Failure.usage("recover: OUT is STORE, which must not be changed; choose another name") }
    let bytes = try DumpFile.bytes(store)
    let salvaged = try salvage(bytes)
    guard !salvaged.isComplete else {
      throw Failure("\(store.forTerminal): nothing is wrong with it; there is nothing to recover", .usage)
    }
    let recovered =
      store == "-"
      ? try salvaged.filled(from: NotebookContent(Notebook()))
      : try salvaged.filled(fromGenerationsOf: try DumpFile.url(store))
    try DumpFile.write(
      recovered.content, to: output, as: FileFormat(fileName: output) ?? salvaged.format, replacing: replaces)
    try report(salvaged, recovered)
    throw ExitCode.found
  }

  /// Even if nothing of a file is left, it has its older versions.
  private func salvage(_ bytes: [UInt8]) throws -> Salvaged<Notebook> {
    do {
      return try Salvaged(of: bytes, path: DumpFile.name(store))
    } catch let error as SnapshotError {
      guard store != "-", try hasReadableGeneration() else { throw error }
      let words = Failure(error).message
      throw Failure(
        "\(words)\nkept older versions can be read: see “snapshot-cli generations \(store.forTerminal)”", .badData)
    }
  }

  private func hasReadableGeneration() throws -> Bool {
    try SnapshotFile.generations(of: try DumpFile.url(store)).contains {
      (try? SnapshotFile.readContent(Notebook.self, at: $0.url)) != nil
    }
  }

  private func report(_ salvaged: Salvaged<Notebook>, _ recovered: Salvaged<Notebook>.Filled) throws {
    let terminal = output == "-" ? Terminal.error : Terminal.output
    for loss in salvaged.losses where loss.kind != .mending {
      // A wrong checksum is a sign of damage, and no loss by itself.
      let kind = loss.code == .checksumMismatch ? "note" : "lost"
      try terminal.print("\(kind): \(loss)".forTerminal + "\n")
    }
    if salvaged.lossCount > salvaged.losses.count {
      try terminal.print("and \(salvaged.lossCount - salvaged.losses.count) more\n")
    }
    if let generation = recovered.generation {
      let date = generation.date.formatted(.iso8601)
      let taken = NotebookDifference(
        recovered.taken, from: salvaged.unmended.value, to: recovered.content.value)
      for line in taken.lines { try terminal.print("from generation \(generation.number) of \(date): \(line)\n") }
    }
    for line in recovered.mended { try terminal.print("mended: \(line)".forTerminal + "\n") }
    for unknown in recovered.content.unknownKeys {
      try terminal.print("unknown to this program, and kept: \(unknown)\n")
    }
    try terminal.print("recovered \(Counts.text(of: recovered.content.value))\n")
    if salvaged.checksum != .ok {
      try terminal.print("a changed letter inside a record cannot be detected; check important records\n")
    }
  }
}
