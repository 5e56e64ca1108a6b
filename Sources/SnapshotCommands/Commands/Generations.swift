import Foundation
import SnapshotStore

/// Lists, compares and restores the kept older versions of a store.
struct GenerationsCommand<Root: Model>: StoreCommand {
  static var name: String { "generations" }
  static var summary: String { "List the kept older versions of a store, compare or restore one" }
  static var forms: [[Parameter]] {
    let store = Parameter.store("STORE", "the store; it may be missing or damaged")
    return [
      [
        store,
        .flag(
          "--json",
          """
          print one object per generation: number, date, path, tables with their counts or an error, and
          migratedVersion for a generation from before a migration
          """
        ),
      ],
      [
        store,
        .word(
          "compare",
          """
          print the changes from generation N to the store: + is new, - is removed, ~ differs. Exits with 1 if there
          are any
          """
        ), number,
      ],
      [
        store,
        .word(
          "restore",
          """
          set the store back to generation N. The present file is kept as a generation or, if it is damaged, under a
          name that is printed
          """
        ), number,
      ],
    ]
  }
  static var discussion: String {
    """
    By default lists the generations, newest first: number, date, contents, and the changes since.

    A save keeps the file that it replaces if no other was kept in the last hour; it keeps three. Commands such as
    “merge”, “restore”, “set” and “put” keep the file that they change in any case, or change nothing. That file stays
    for three hours at least. The newest generation from before a migration always stays.

    Restoring a generation is an edit: what comes back gets a new date of change, and what is gone gets a tombstone, if
    the model has them. So a sync with another copy does not revert it.
    """
  }

  private static var number: Parameter {
    .operand(
      "N",
      .listed { store in
        try SnapshotFile.generations(of: try FileName.url(store)).map {
          Candidate("\($0.number)", $0.date.formatted(.iso8601))
        }
      })
  }

  private enum Action { case list, compare(Int), restore(Int) }

  private let store: String
  private let action: Action
  private let printsJSON: Bool

  init(_ arguments: inout Arguments) throws {
    printsJSON = arguments.flag("--json")
    store = arguments.operand("STORE")
    try FileName.requireFile(store, "the store must be a file")
    let word = arguments.word()
    guard let text = arguments.optionalOperand("N") else {
      action = .list
      return
    }
    guard let number = Int(text) else { throw arguments.usage("“\(text.shortForMessage)” is not a number") }
    action = word == "compare" ? .compare(number) : .restore(number)
  }

  func run() throws {
    let url = try FileName.url(store)
    let generations = try SnapshotFile.generations(of: url)
    switch action {
    case .list: try list(generations, as: Self.model(of: store, generations))
    case .compare(let number):
      try compare(try find(number, in: generations), as: Self.model(of: store, generations))
    case .restore(let number):
      let generation = try find(number, in: generations)
      try restore(generation, at: url, as: Self.model(of: generation.url))
    }
  }

  /// The model for a store and its generations. The store may be missing or damaged.
  private static func model(of store: String, _ generations: [Generation]) -> any Model.Type {
    let types = [try? FileName.url(store)] + generations.map { $0.url }
    let inputs = types.lazy.compactMap { $0.flatMap { try? FileInput(url: $0) } }
    return inputs.first { $0.header != nil }?.model(for: Root.self) ?? Root.self
  }

  private static func model(of url: URL) -> any Model.Type {
    (try? FileInput(url: url))?.model(for: Root.self) ?? Root.self
  }

  private func find(_ number: Int, in generations: [Generation]) throws -> Generation {
    if let generation = generations.first(where: { $0.number == number }) { return generation }
    let there = generations.map { "\($0.number)" }.joined(separator: ", ")
    throw CommandFailure(
      "\(store.forTerminal): there is no generation \(number)\(there.isEmpty ? "; none is kept" : "; there are \(there)")",
      .noInput)
  }

  private func list<Known: Model>(_ generations: [Generation], as type: Known.Type) throws {
    let current = try? FileInput(store).content(type)
    // A mistake in the path is no store without older versions.
    if generations.isEmpty { _ = try FileInput(store) }
    if generations.isEmpty, !printsJSON { return try Terminal.output.print("no older version is kept\n") }
    for generation in generations {
      let content = Result { try SnapshotFile.readContent(type, at: generation.url) }
      let line = try printsJSON ? json(generation, content) : line(generation, content, current)
      try Terminal.output.print(line + "\n")
    }
  }

  private func line<Known: Model>(
    _ generation: Generation, _ content: Result<SnapshotContent<Known>, any Error>, _ current: SnapshotContent<Known>?
  ) -> String {
    let number = "\(generation.number)".padding(to: 5)
    let words: String
    switch content {
    case .success(let content):
      let before = generation.migratedVersion.map { "before the migration from version \($0): " } ?? ""
      let since = current.map { "; since then \(Self.summary(from: content, to: $0))" } ?? ""
      words = before + Counts.text(of: content) + since
    case .failure(let error): words = "cannot be read: \(CommandFailure(error).message)"
    }
    return "\(number)\(generation.date.formatted(.iso8601))  \(words)"
  }

  private static func summary<Known: Model>(
    from old: SnapshotContent<Known>, to new: SnapshotContent<Known>
  ) -> String {
    (try? DifferenceLines(from: old, to: new).summary) ?? "it cannot be compared"
  }

  private func json<Known: Model>(
    _ generation: Generation, _ content: Result<SnapshotContent<Known>, any Error>
  ) throws -> String {
    var output = GenerationOutput(
      number: generation.number, date: generation.date, path: generation.url.path(percentEncoded: false))
    output.migratedVersion = generation.migratedVersion
    switch content {
    case .success(let content): output.tables = TableCounts(counts: Counts.tables(of: content))
    case .failure(let error): output.error = CommandFailure(error).message
    }
    return try SnapshotFile.json(of: output)
  }

  private func compare<Known: Model>(_ generation: Generation, as type: Known.Type) throws {
    let old = try SnapshotFile.readContent(type, at: generation.url)
    let difference = try DifferenceLines(from: old, to: try FileInput(store).content())
    for line in difference.lines { try Terminal.output.print(line + "\n") }
    if !difference.isEmpty { throw ExitCode.found }
  }

  private func restore<Known: Model>(_ generation: Generation, at url: URL, as type: Known.Type) throws {
    let damaged = try CommandFailure.creating {
      try waitingForOthers { try SnapshotFile.restore(generation, as: type, at: url, waitingAtMost: $0) }
    }
    let content = try FileInput(store).content(type)
    try Terminal.output.print(
      "restored generation \(generation.number) of \(generation.date.formatted(.iso8601)): "
        + "\(Counts.text(of: content))\n")
    if let damaged { try Terminal.output.print("the damaged file is kept as \(damaged.forTerminal)\n") }
  }
}

/// A generation in the form of `--json`.
private struct GenerationOutput: Encodable {
  let number: Int
  let date: Date
  let path: String
  var migratedVersion: Int?
  /// Nil if the generation cannot be read.
  var tables: TableCounts?
  var error: String?
}

/// The counts of tables in their order. A table may have any name, so they are in an object of their own.
private struct TableCounts: Encodable {
  let counts: [(name: String, count: Int)]

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    for (name, count) in counts { try container.encode(count, forKey: Key(stringValue: name)) }
  }
}
