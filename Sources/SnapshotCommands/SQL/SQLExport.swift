import Foundation
public import SnapshotStore

/// The format `sql` of the command `export`: the tables of a file, for SQLite or PostgreSQL.
///
/// ```swift
/// struct ExportCommand: StoreCommand {
///   static let name = "export"
///   static let summary = "Write the posts for a database"
///   static let parameters = SQLExport<Dashboard>.parameters
///
///   private let export: SQLExport<Dashboard>
///
///   init(_ arguments: inout Arguments) throws {
///     export = try SQLExport(&arguments)
///   }
///
///   func run() throws { try export.run() }
/// }
/// ```
///
/// A file of the tool's own model is read with its types, any other one without. A tool with an `export` of its own
/// adds the format to it.
public struct SQLExport<Root: Model> {
  /// The parameters of the form.
  public static var parameters: [Parameter] {
    [
      .word("sql", "all tables of a store, for a database"), .readStore,
      .option("--dialect", "DIALECT", .words(SQLDialect.self), "sqlite (the default) or postgresql"),
      .option(
        "--output", "OUT", .file(extensions: ["sql"]), short: "o",
        "the file to write; by default, and for -, standard output"),
      .option(
        "--nested", "FORM", .words(SQLLayout.Nesting.self),
        "arrays and dictionaries as tables of their own (the default), or as columns with json"),
      .flag("--force", "replace OUT if it is empty or an earlier export as SQL"),
    ]
  }

  /// The help of the format.
  public static var discussion: String {
    """
    The script makes all tables in an empty database, in one transaction:
      {tool} export sql a.json | sqlite3 -bail new.db
      {tool} export sql a.json --dialect postgresql |
        psql -qX -v ON_ERROR_STOP=1 new

    A table has a column for each property, of a type that holds all its values exactly. Values of several kinds are in
    a column of JSON. The id is the primary key. An array has a table with a row for each element, in their order, and
    values in values are named after both: posts_tags. Ids of another table become foreign keys if the property is named
    after it, or if they are UUIDs. Docs/COMMAND-LINE.md has the details.
    """
  }

  private let dialect: SQLDialect
  private let nesting: SQLLayout.Nesting
  private let output: String
  private let replaces: Bool
  private let file: String

  /// Takes the parameters.
  public init(_ arguments: inout Arguments) throws {
    dialect = arguments.value("--dialect") ?? .sqlite
    nesting = arguments.value("--nested") ?? .tables
    output = arguments.option("--output") ?? "-"
    replaces = arguments.flag("--force")
    file = arguments.operand("FILE")
  }

  private var isStream: Bool { FileName.isStream(output) }

  /// Writes the script.
  ///
  /// - Throws: ``CommandFailure`` or `SnapshotError`. The output file is then unchanged.
  public func run() throws {
    // On a terminal, the output itself shows the progress.
    let bar = isStream && Terminal.output.isTerminal ? nil : ProgressBar("reading \(FileName.shown(file))")
    defer { bar?.finish() }
    let script = try script()
    let total = script.rowCount
    let progress = { (count: Int) in
      bar?.show("writing \(FileName.isStandard(output) ? "standard output" : output)", finished: count, of: total) ?? ()
    }
    if isStream {
      let stream = try Terminal(output)
      try script.write(to: { (bytes: [UInt8]) throws in try stream.printText(bytes) }, progress: progress)
    } else {
      try write(script, to: try FileName.url(output), progress)
      bar?.finish()
      try Terminal.output.print("exported \(Counts.text(total, "record"))\n")
    }
  }

  private func script() throws -> SQLScript {
    let input = try FileInput(file)
    guard input.model(for: Root.self) is Root.Type, !(Root.self is UntypedModel.Type) else {
      return try SQLScript(
        try input.content(UntypedModel.self), dialect: dialect, nesting: nesting, declaredIndexes: { _ in [] })
    }
    // With the types, a text that looks like a date is a text, whatever program has written it.
    let content: SnapshotContent<Root> = try input.content()
    let untyped: SnapshotContent<UntypedModel> = try SnapshotFile.decodeContent(
      from: try SnapshotFile.encode(content, as: .binary))
    return try SQLScript(
      untyped, dialect: dialect, nesting: nesting, declaredIndexes: { Root.schema.indexNames(ofTable: $0) })
  }

  // MARK: The file

  private func write(_ script: SQLScript, to url: URL, _ progress: (Int) -> Void) throws {
    try CommandFailure.creating {
      // What has older versions is a store, even if it is damaged.
      let isStore = try !SnapshotFile.generations(of: url).isEmpty
      var isOther = false
      do {
        try SnapshotFile.write(
          to: url,
          replacing: { beginning in
            isOther = isStore || !(beginning.isEmpty || beginning.starts(with: SQLScript.title.utf8))
            return replaces && !isOther
          },
          { append throws(SnapshotError) in try script.write(to: append, progress: progress) })
      } catch var error as SnapshotError where error.code == .fileExists {
        error.message = isOther ? "the file exists, and is no export as SQL" : "the file exists"
        error.advice =
          isOther
          ? "--force would not replace it; move it away, or name another file." : "--force replaces an earlier export."
        throw error
      }
    }
  }
}
