import Foundation
import SnapshotStore

/// Prints the header, size and tables of a file, and the processes that have it open.
struct InfoCommand: StoreCommand {
  static var name: String { "info" }
  static var summary: String { "Describe a file of any schema: format, size, checksum, tables" }
  static var parameters: [Parameter] {
    [
      .store("FILE", "a file of any schema, or - for standard input"),
      .flag(
        "--json",
        """
        print one object: format, schema, version, bytes, tables, checksum (ok, absent or mismatch), journal and users
        if any
        """
      ),
    ]
  }
  static var discussion: String {
    """
    “open in” names the processes that have FILE open for writing: their number, and since when. If one has it
    exclusively, others can only read it. Shared stores can all write it. “for a save” is one that saves at this moment,
    or was stopped while it did, so that all others wait.

    Programs that only read are not listed. After a process was killed, its number may be that of another program.
    """
  }

  private let file: String
  private let printsJSON: Bool

  init(_ arguments: inout Arguments) throws {
    printsJSON = arguments.flag("--json")
    file = arguments.operand("FILE")
  }

  func run() throws {
    let input = try FileInput(file)
    let summary = try SnapshotSummary(of: input.bytes, path: input.name)
    let journal = FileName.isStream(file) ? nil : try SnapshotFile.journal(of: try FileName.url(file))
    // The size and the checksum are those of the file itself.
    let users = FileName.isStream(file) ? [] : users(of: try FileName.url(file))
    let inFile =
      journal == nil ? summary : try SnapshotSummary(of: FileInput(withoutJournal: file).bytes, path: input.name)
    if printsJSON {
      return try Terminal.output.print(try SnapshotFile.json(of: Output(summary, inFile, journal, users)) + "\n")
    }
    var rows = [
      ("format", summary.format.rawValue), ("schema", "\(summary.schema.forTerminal), version \(summary.version)"),
      ("size", Counts.text(inFile.byteCount, "byte")), ("checksum", inFile.checksum.rawValue),
    ]
    if let journal {
      let changes = Counts.text(journal.changes, "change")
      rows.append(("journal", "\(changes), \(Counts.text(journal.byteCount, "byte")); counted in the lines below"))
    }
    rows += users.enumerated().map { ($0.offset == 0 ? "open in" : "", Self.line($0.element)) }
    rows += summary.tables.map { ($0.name.forTerminal, Counts.text($0.count, "record")) }
    rows += summary.values.map { ($0.forTerminal, "single value") }
    let width = rows.map(\.0.displayWidth).max() ?? 0
    for (label, value) in rows { try Terminal.output.print(label.padding(to: width + 2) + value + "\n") }
  }

  private func users(of url: URL) -> [FileUser] {
    do {
      return try SnapshotFile.users(of: url)
    } catch {
      Terminal.error.printLine("note: who has it open is not known: \(CommandFailure(error).message)")
      return []
    }
  }

  /// `Notes (process 42), shared since 2026-11-24T07:40:00Z`.
  private static func line(_ user: FileUser) -> String {
    let access =
      switch user.access {
      case .exclusive: "exclusively"
      case .shared: "shared"
      case .save: "for a save"
      }
    return "\(user.name.forTerminal) (process \(user.process)), \(access) since \(user.since.formatted(.iso8601))"
  }

  private struct Output: Encodable {
    let format: String
    let schema: String
    let version: Int
    let bytes: Int
    let checksum: String
    let tables: TableCounts
    /// Nil, and thus left out, if there are none.
    let values: [String]?
    /// Nil if there is none.
    let journal: Journal?

    /// Nil if nobody has it open.
    let users: [User]?

    /// An object with a number for each table. Names that differ only by normalisation are two keys.
    struct TableCounts: Encodable {
      let counts: [(name: String, count: Int)]

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for (name, count) in counts { try container.encode(count, forKey: Name(stringValue: name)) }
      }

      private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
      }
    }

    struct User: Encodable {
      let name: String
      let process: Int32
      let access: String
      let since: Date
    }

    struct Journal: Encodable {
      let changes: Int
      let bytes: Int
    }

    init(
      _ summary: SnapshotSummary, _ inFile: SnapshotSummary, _ journal: SnapshotFile.JournalSummary?,
      _ users: [FileUser]
    ) {
      let shown = users.map {
        User(name: $0.name, process: $0.process, access: $0.access.rawValue, since: $0.since)
      }
      self.users = shown.isEmpty ? nil : shown
      self.journal = journal.map { Journal(changes: $0.changes, bytes: $0.byteCount) }
      format = summary.format.rawValue
      schema = summary.schema
      version = summary.version
      bytes = inFile.byteCount
      checksum = inFile.checksum.rawValue
      tables = TableCounts(counts: summary.tables.map { ($0.name, $0.count) })
      values = summary.values.isEmpty ? nil : summary.values
    }
  }
}
