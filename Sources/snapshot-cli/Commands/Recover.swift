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
    // A wrong checksum alone does not prove a loss: a missing record may have been deleted.
    let hasLosses = salvaged.losses.contains { $0.code != .checksumMismatch }
    let generation = store == "-" || !hasLosses ? nil : try newestReadable()
    let recovered = try Recovered(salvaged, generation)
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
      guard store != "-", try newestReadable() != nil else { throw error }
      let words = Failure(error).message
      throw Failure(
        "\(words)\nkept older versions can be read: see “snapshot-cli generations \(store.forTerminal)”", .badData)
    }
  }

  private func newestReadable() throws -> (generation: Generation, content: NotebookContent)? {
    for generation in try SnapshotFile.generations(of: try DumpFile.url(store)) {
      if let content = try? SnapshotFile.readContent(Notebook.self, at: generation.url) { return (generation, content) }
    }
    return nil
  }

  private func report(_ salvaged: Salvaged<Notebook>, _ recovered: Recovered) throws {
    let terminal = output == "-" ? Terminal.error : Terminal.output
    for loss in salvaged.losses where loss.kind != .mending { try terminal.print("lost: \(loss)".forTerminal + "\n") }
    if salvaged.lossCount > salvaged.losses.count {
      try terminal.print("and \(salvaged.lossCount - salvaged.losses.count) more\n")
    }
    if let generation = recovered.generation {
      let date = generation.date.formatted(.iso8601)
      for line in recovered.filled { try terminal.print("from generation \(generation.number) of \(date): \(line)\n") }
    }
    for line in recovered.mended { try terminal.print("mended: \(line)".forTerminal + "\n") }
    for unknown in recovered.content.unknownKeys {
      try terminal.print("unknown to this program, and kept: \(unknown)\n")
    }
    try terminal.print("recovered \(Counts.text(of: recovered.content.value))\n")
    if salvaged.checksum != .ok {
      try terminal.print(
        "a changed letter or digit inside a record cannot be detected; check important records yourself\n")
    }
  }
}

/// The salvaged content, completed from an older version.
private struct Recovered {
  var content: NotebookContent
  var generation: Generation?
  /// The records from the older version.
  var filled: [String] = []
  /// The repairs that were needed after that.
  var mended: [String]

  init(_ salvaged: Salvaged<Notebook>, _ older: (generation: Generation, content: NotebookContent)?) throws {
    content = salvaged.content
    mended = salvaged.losses.filter { $0.kind == .mending }.map(\.description)
    guard let older else { return }
    generation = older.generation
    // Filled before repairs: the older version may have the records that notes refer to.
    try fill(salvaged.unmended, from: older.content)
  }

  /// Adds records of the older version. Deleted records stay deleted, and only tags with a note are added.
  private mutating func fill(_ unmended: NotebookContent, from older: NotebookContent) throws {
    var older = older
    older.value.deleteNotes(unmended.value.deletedNotes.ids)
    // An empty base: the result has everything that is in either, and the salvaged version of what is in both.
    let merged = NotebookContent.merging(base: NotebookContent(Notebook()), ours: unmended, theirs: older)
    content = merged.content
    mended = merged.mended.map(\.description)
    for tag in content.value.tags
    where !unmended.value.tags.contains(tag.id) && content.value.notes(tagged: tag.id).isEmpty {
      try? content.value.deleteTag(tag.id)
    }
    var before = unmended
    // Tags that were made again from their ids come from neither side.
    for tag in content.value.tags where !older.value.tags.contains(tag.id) {
      _ = try? before.value.tag(checkedName: tag.name)
    }
    filled = try NotebookDifference(from: before, to: content).lines.filter { $0.hasPrefix("+") }
  }
}
