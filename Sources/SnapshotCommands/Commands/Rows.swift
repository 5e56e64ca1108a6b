import SnapshotStore

/// Prints the records of a table.
struct RowsCommand: StoreCommand {
  static let name = "rows"
  static let summary = "Print the records of a table that meet a condition"
  static var parameters: [Parameter] {
    [
      .readStore, .table, .condition("only records that meet a condition; several must all be met"),
      .option(
        "--sort", "KEY[,-KEY]", .properties,
        "the order: by a property, then the next. -KEY reverses it; the first one is then given as --sort=-KEY"),
      .option("--limit", "N", .number(0...Int.max), short: "n", "at most N records"),
      .option("--columns", "a,b.c", .properties, "only these properties, in this order"),
      .flag("--count", "print only the number of records"),
      .option(
        "--format", "FORMAT", .words(RowForm.self), short: "f",
        "table (the default), json (an array with a record a line), ndjson (a record a line), csv"),
    ]
  }
  static let discussion = """
    A condition compares properties and values:
      blogName == "x" and tags has "paris" and date >= 2026-01-01
      not (archived or text contains "x") and size.width < 20

      ==  !=  <  <=  >  >=   numbers by value, texts by their bytes,
                             dates by time
      has                    an element of an array, a key of a dictionary
      contains, starts with, ends with
                             a part of a text, case and accents as written
      is missing, is null    with “not” after “is” for the opposite
      archived               the property is true

    A path is a.b, a[0] or ["any key"]. Values are "texts" with the escapes of JSON, numbers, true, false, null, and
    dates such as 2026-01-31 or 2026-01-31T10:00:00Z. Values of different kinds are never equal and have no order.

    On a terminal, lines are cut to its width. Elsewhere nothing is cut. The first 1000 records decide the widths. In
    CSV, a field that a spreadsheet could take for a formula gets an apostrophe before it, and a column of texts and
    other kinds has its texts in the quotes of JSON.
    """

  private let file: String
  private let table: String
  private let query: Query
  private let order: RowOrder?
  private let limit: Int
  private let columns: [PropertyPath]?
  private let form: RowForm
  private let printsCount: Bool

  init(_ arguments: inout Arguments) throws {
    query = try arguments.query()
    order = try arguments.option("--sort").map { text in try QueryError.shown("--sort") { try RowOrder(text) } }
    limit = arguments.number("--limit") ?? .max
    columns = try arguments.option("--columns").map { text in
      try QueryError.shown("--columns") { try PropertyPath.list(text) }
    }
    form = arguments.value("--format") ?? .table
    printsCount = arguments.flag("--count")
    file = arguments.operand("FILE")
    table = arguments.operand("TABLE")
  }

  func run() throws {
    // An order needs all records before it is known which come first.
    let most = order == nil || printsCount ? limit : .max
    let search = RowSearch(
      query, atMost: most, keepsRecords: !printsCount, noting: paths,
      takesCensus: form == .csv && !printsCount)
    let (content, found) = try FileInput(file).content(of: table, folding: search)
    let records = try content.requiredTable(table).values
    noteUnknownProperties(found)
    if printsCount { return try Terminal.output.print("\(min(limit, found.matchCount))\n") }
    var printer = try printer(found)
    for record in (order?.sorted(records) ?? records).prefix(limit) { try printer.print(record) }
    try printer.finish()
  }

  /// The properties that the options name, each once.
  private var paths: [PropertyPath] {
    var known = Set<PropertyPath>()
    return (query.paths + (order?.paths ?? []) + (columns ?? [])).filter { known.insert($0).inserted }
  }

  private func printer(_ found: RowSearch) throws -> any RowPrinter {
    switch form {
    case .array, .lines: return JSONRows(columns: columns, isArray: form == .array)
    case .csv: return try CSVRows(columns: columns ?? found.keys.columns, found.census ?? PropertyCensus())
    case .table:
      let width = Terminal.output.isTerminal ? Terminal.output.columns : nil
      return TextTableRows(columns: columns ?? found.keys.columns, width: width)
    }
  }

  /// A misspelt property, or a text without quotes, is a path that leads to no value in any record. The result would be
  /// empty, and nothing would say why.
  private func noteUnknownProperties(_ found: RowSearch) {
    if found.count == 0 { return }
    for path in paths where found.unseen.contains(path) {
      let near = NearName.of(path.title, in: found.keys.keys.map(\.text).sorted()).map { PropertyPath(key: $0) }
        .map { "; did you mean “\($0.description.shortForMessage)”?" }
      Terminal.error.printLine(
        "note: no record of “\(table.shortForMessage)” has “\(path.description.shortForMessage)”"
          + (near ?? "; texts stand in double quotes"))
    }
  }
}

extension Arguments {
  /// The condition of all `--where`.
  mutating func query() throws -> Query {
    Query(all: try options("--where").map { text in try QueryError.shown("--where") { try Query(text) } })
  }
}

extension QueryError {
  /// Runs a body. A `QueryError` becomes a message with the text and a caret.
  static func shown<Result>(_ what: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as QueryError {
      throw error.failure(what)
    }
  }
}
