import Foundation
import SnapshotNotebook
import SnapshotStore

/// Lists, compares and restores the kept older versions of a store.
struct GenerationsCommand: Command {
  static let name = "generations"
  static let summary = "List the kept older versions of a store, compare or restore one"
  static let usage = "STORE [compare N | restore N] [--json]"
  static let details = """
    STORE      the store; it may be missing or damaged
    compare N  print the changes from generation N to the store: + is new, - is
               removed, ~ differs. Exits with 1 if there are any
    restore N  set the store back to generation N. The present file is kept as a
               generation or, if it is damaged, under a name that is printed
    --json     print one object per generation: number, date, path, the counts of
               the tables or an error, and migratedVersion for a generation from
               before a migration

    By default lists the generations, newest first: number, date, contents, and the
    changes since.

    A save keeps the file that it replaces if no other was kept in the last hour;
    it keeps three. “sync”, “merge” and “restore” keep the file that they change in
    any case, or change nothing. That file stays for three hours at least. The
    newest generation from before a migration always stays.
    """

  private enum Action { case list, compare(Int), restore(Int) }

  private let store: String
  private let action: Action
  private let printsJSON: Bool

  init(_ arguments: inout ArgumentScanner) throws {
    printsJSON = arguments.flag("--json")
    store = try arguments.operand("STORE")
    switch try arguments.optionalOperand() {
    case nil: action = .list
    case "compare"?: action = .compare(try Self.number(&arguments))
    case "restore"?: action = .restore(try Self.number(&arguments))
    case let word?: throw arguments.usage("“\(word.forTerminal)” is neither compare nor restore")
    }
    try arguments.finish()
  }

  private static func number(_ arguments: inout ArgumentScanner) throws -> Int {
    let text = try arguments.operand("N")
    guard let number = Int(text) else { throw arguments.usage("“\(text.forTerminal)” is not a number") }
    return number
  }

  func run() throws {
    let url = try DumpFile.url(store)
    let generations = try SnapshotFile.generations(of: url)
    switch action {
    case .list: try list(generations)
    case .compare(let number): try compare(try find(number, in: generations))
    case .restore(let number): try restore(try find(number, in: generations), at: url)
    }
  }

  private func find(_ number: Int, in generations: [Generation]) throws -> Generation {
    if let generation = generations.first(where: { $0.number == number }) { return generation }
    let there = generations.map { "\($0.number)" }.joined(separator: ", ")
    throw Failure(
      "\(store.forTerminal): there is no generation \(number)\(there.isEmpty ? "; none is kept" : "; there are \(there)")",
      .noInput)
  }

  private func list(_ generations: [Generation]) throws {
    let current = try? DumpFile.read(store)
    if generations.isEmpty, !printsJSON { return try Terminal.output.print("no older version is kept\n") }
    for generation in generations {
      let content = Result { try SnapshotFile.readContent(Notebook.self, at: generation.url) }
      try Terminal.output.print(
        (printsJSON ? json(generation, content) : line(generation, content, current)) + "\n")
    }
  }

  private func line(
    _ generation: Generation, _ content: Result<NotebookContent, any Error>, _ current: NotebookContent?
  ) -> String {
    let number = "\(generation.number)".padding(to: 5)
    let words: String
    switch content {
    case .success(let content):
      let before = generation.migratedVersion.map { "before the migration from version \($0): " } ?? ""
      let since = current.map { "; since then \(Self.summary(from: content, to: $0))" } ?? ""
      words = before + Counts.text(of: content.value) + since
    case .failure(let error): words = "cannot be read: \(Failure(error).message)"
    }
    return "\(number)\(generation.date.formatted(.iso8601))  \(words)"
  }

  private static func summary(from old: NotebookContent, to new: NotebookContent) -> String {
    (try? NotebookDifference(from: old, to: new).summary) ?? "it cannot be compared"
  }

  private func json(_ generation: Generation, _ content: Result<NotebookContent, any Error>) throws -> String {
    var output = Output(
      number: generation.number, date: generation.date, path: generation.url.path(percentEncoded: false))
    output.migratedVersion = generation.migratedVersion
    switch content {
    case .success(let content):
      let notebook = content.value
      output.notes = notebook.notes.count
      output.tags = notebook.tags.count
      output.attachments = notebook.attachments.count
      output.deletedNotes = notebook.deletedNotes.count
    case .failure(let error): output.error = Failure(error).message
    }
    return try SnapshotFile.json(of: output)
  }

  private struct Output: Encodable {
    let number: Int
    let date: Date
    let path: String
    var migratedVersion: Int?
    var notes: Int?
    var tags: Int?
    var attachments: Int?
    var deletedNotes: Int?
    var error: String?
  }

  private func compare(_ generation: Generation) throws {
    let old = try SnapshotFile.readContent(Notebook.self, at: generation.url)
    let difference = try NotebookDifference(from: old, to: try DumpFile.read(store))
    for line in difference.lines { try Terminal.output.print(line + "\n") }
    if !difference.isEmpty { throw ExitCode.found }
  }

  private func restore(_ generation: Generation, at url: URL) throws {
    let damaged = try SnapshotFile.restore(generation, as: Notebook.self, at: url)
    let notebook = try DumpFile.read(store).value
    try Terminal.output.print(
      "restored generation \(generation.number) of \(generation.date.formatted(.iso8601)): "
        + "\(Counts.text(of: notebook))\n")
    if let damaged { try Terminal.output.print("the damaged file is kept as \(damaged.forTerminal)\n") }
  }
}
