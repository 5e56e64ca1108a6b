import Foundation
import SnapshotStore

/// Saves what can be saved of a damaged store.
struct RecoverCommand: Command {
  static let name = "recover"
  static let summary = "Write what can be read of a damaged store to a new one, and list what was lost"
  static let usage = "STORE -o OUT [--replace]"
  static let details = """
    STORE      the damaged store; it is not changed
    -o OUT     where to write what was recovered; the extension decides the format, or STORE's is kept
    --replace  replace OUT if it exists

    Every record that can be read is taken as it is. What was lost is taken from the newest kept older version that can be
    read, if it has it and the damaged store does not say that it was deleted. Prints each loss with its place, and each record
    that comes from an older version. Exits with 0 if nothing was lost, with 1 if something was.
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
    // A checksum that is wrong alone tells of no loss: what is not there may have been deleted.
    let hasLosses = salvaged.losses.contains { $0.code != .checksumMismatch }
    let generation = store == "-" || !hasLosses ? nil : try newestReadable()
    let (notebook, filled) = generation.map { salvaged.value.filled(from: $0.notebook) } ?? (salvaged.value, [])
    try DumpFile.write(
      notebook, to: output, as: FileFormat(fileName: output) ?? salvaged.format, replacing: replaces)
    try report(salvaged, notebook, filled, generation?.generation)
    throw ExitCode.found
  }

  /// A file of which nothing at all is left still has its older versions.
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

  private func newestReadable() throws -> (generation: Generation, notebook: Notebook)? {
    for generation in try SnapshotFile.generations(of: try DumpFile.url(store)) {
      if let notebook = try? SnapshotFile.read(Notebook.self, at: generation.url) { return (generation, notebook) }
    }
    return nil
  }

  private func report(
    _ salvaged: Salvaged<Notebook>, _ notebook: Notebook, _ filled: [String], _ generation: Generation?
  ) throws {
    let terminal = output == "-" ? Terminal.error : Terminal.output
    for loss in salvaged.losses {
      let word = loss.kind == .mending ? "mended" : "lost"
      try terminal.print("\(word): \(loss)".forTerminal + "\n")
    }
    if salvaged.lossCount > salvaged.losses.count {
      try terminal.print("and \(salvaged.lossCount - salvaged.losses.count) more\n")
    }
    if let generation, !filled.isEmpty {
      let date = generation.date.formatted(.iso8601)
      for line in filled { try terminal.print("from generation \(generation.number) of \(date): \(line)\n") }
    }
    try terminal.print("recovered \(Counts.text(of: notebook))\n")
    if salvaged.checksum != .ok {
      try terminal.print(
        "a letter or digit that was changed inside of a record cannot be told; look through what matters\n")
    }
  }
}

extension Notebook {
  /// The same notebook with what an older one has and this one lacks, and what that is. What was deleted here stays so, and of
  /// the older one's tags only those come along that are on a note.
  fileprivate func filled(from older: Notebook) -> (notebook: Notebook, lines: [String]) {
    var older = older
    older.deleteNotes(deletedNotes.ids)
    // Nothing in common, so that what is in either is in the result; what is in both is as it is here.
    var result = Notebook.merging(base: Notebook(), ours: self, theirs: older).value
    for tag in result.tags where !tags.contains(tag.id) && result.notes(tagged: tag.id).isEmpty {
      try? result.deleteTag(tag.id)
    }
    return (result, NotebookDifference(from: self, to: result).lines.filter { $0.hasPrefix("+") })
  }
}
