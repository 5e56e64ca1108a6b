import Foundation
public import SnapshotStore

/// The format `sql` of the command `export`: the tables of a file, for SQLite or PostgreSQL.
///
/// A file of the tool's own model is read with its types, any other one without. A tool with an `export` of its own
/// adds the format to it.
public struct SQLExport<Root: Model> {
  /// The options of the format. They are read before the operands.
  public struct Options {
    let dialect: SQLDialect?
    let nesting: SQLLayout.Nesting?
    let output: String?
    let replaces: Bool

    /// Takes `--dialect`, `--nested`, `--output` and `--force`.
    ///
    /// - Throws: ``CommandFailure`` for an unknown value.
    public init(_ arguments: inout Arguments) throws {
      dialect = try arguments.option("--dialect").map { try arguments.value(named: $0) }
      nesting = try arguments.option("--nested").map { try arguments.value(named: $0) }
      output = try arguments.option("--output", "-o")
      replaces = arguments.flag("--force")
    }

    /// Whether an option is given that only this format has.
    public var hasOwn: Bool { dialect != nil || nesting != nil || output != nil }
    /// Whether `--force` is given.
    public var isForced: Bool { replaces }
  }

  /// The name of the format.
  public static var format: String { "sql" }

  /// The synopsis.
  public static var usage: String {
    """
    sql FILE [--dialect sqlite|postgresql] [-o OUT]
                             [--nested tables|json] [--force]
    """
  }

  /// The help of the format.
  public static var details: String {
    """
    FILE          a store or a dump of any model, or - for standard input
    --dialect     sqlite (the default) or postgresql
    --output, -o  the file to write; by default, and for -, standard output
    --nested      arrays and dictionaries as tables of their own (the default), or
                  as columns with json
    --force       replace OUT if it is empty or an earlier export as SQL

    The script makes all tables in an empty database, in one transaction:
      {tool} export sql a.json | sqlite3 -bail new.db
      {tool} export sql a.json --dialect postgresql |
        psql -qX -v ON_ERROR_STOP=1 new
    A table has a column for each property, of a type that holds all its values
    exactly. Values of several kinds are in a column of JSON. The id is the primary
    key. An array has a table with a row for each element, in their order, and
    values in values are named after both: posts_tags. Ids of another table become
    foreign keys if the property is named after it, or if they are UUIDs.
    Docs/COMMAND-LINE.md has the details.
    """
  }

  private let options: Options
  private let file: String

  /// Takes the operand.
  ///
  /// - Throws: ``CommandFailure`` if it is missing.
  public init(_ options: Options, _ arguments: inout Arguments) throws {
    self.options = options
    file = try arguments.operand("FILE")
  }

  /// Writes the script.
  ///
  /// - Throws: ``CommandFailure`` or `SnapshotError`. The output file is then unchanged.
  public func run() throws {
    let output = options.output ?? "-"
    // On a terminal, the output itself shows the progress.
    let bar = output == "-" && Terminal.output.isTerminal ? nil : ProgressBar("reading \(FileName.shown(file))")
    defer { bar?.finish() }
    let script = try script()
    let total = script.rowCount
    let progress = { (count: Int) in
      bar?.show("writing \(output == "-" ? "standard output" : output)", finished: count, of: total) ?? ()
    }
    if output == "-" {
      try script.write(to: { (bytes: [UInt8]) throws in try Terminal.output.printText(bytes) }, progress: progress)
    } else {
      try write(script, to: try FileName.url(output), progress)
      bar?.finish()
      try Terminal.output.print("exported \(Counts.text(total, "record"))\n")
    }
  }

  private func script() throws -> SQLScript {
    let input = try FileInput(file)
    let (dialect, nesting) = (options.dialect ?? .sqlite, options.nesting ?? .tables)
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
            return options.replaces && !isOther
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
