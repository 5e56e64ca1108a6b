import SnapshotStore

/// The SQL that makes the tables of a file in an empty database, in one transaction.
struct SQLScript {
  /// The beginning of every script, by which an earlier export is known.
  static let title = "-- Snapshot as SQL for "
  /// The bytes of rows that are written at once.
  private static let batch = 1 << 16

  private let roots: [SQLLayout.Root]
  private var layout: SQLLayout
  private let links: [SQLLink]
  private let constraints: SQLConstraintNames
  private let indexes: [SQLIndex]
  private let schema: String
  private var dialect: SQLDialect { layout.dialect }

  /// - Parameters:
  ///   - content: the tables and single values.
  ///   - declaredIndexes: the names of the indexes that the schema declares for a table.
  /// - Throws: a failure for a text that the database cannot hold.
  init(
    _ content: SnapshotContent<UntypedModel>, dialect: SQLDialect, nesting: SQLLayout.Nesting,
    declaredIndexes: (String) -> [String]
  ) throws {
    roots = SQLLayout.roots(of: content)
    layout = SQLLayout(roots, dialect: dialect, nesting: nesting)
    if dialect == .postgresql { try SQLRefusal.requireNoNUL(roots, in: layout) }
    links = SQLLink.all(in: layout, roots)
    constraints = SQLConstraintNames(in: &layout)
    indexes = SQLIndex.all(in: &layout, links, declared: declaredIndexes)
    schema = "schema “\(content.schemaName.forTerminal)”, version \(content.schemaVersion)"
  }

  /// The number of records and single values.
  var rowCount: Int { roots.reduce(0) { $0 + $1.values.count } }

  /// Passes the bytes of the script to `append`, in pieces.
  ///
  /// - Parameter progress: is called now and then with the number of records that have been written.
  func write<Failure: Error>(
    to append: ([UInt8]) throws(Failure) -> Void, progress: (Int) -> Void = { _ in }
  ) throws(Failure) {
    try append(Array(beginning.utf8))
    try writeRows(to: append, progress)
    try append(Array(end.utf8))
  }

  // MARK: Structure

  private var beginning: String {
    let load = dialect == .sqlite ? "sqlite3 -bail NEW.db < FILE" : "psql -v ON_ERROR_STOP=1 -f FILE NEW"
    var text = "\(Self.title)\(dialect.title): \(schema)\n-- Load it into an empty database: \(load)\n"
    if dialect == .postgresql { text += "SET client_encoding = 'UTF8';\n" }
    text += "BEGIN;\n"
    for number in layout.tables.indices { text += definition(of: number) }
    return text
  }

  private func definition(of number: Int) -> String {
    let table = layout.tables[number]
    var text = table.renamings.map { "-- \($0)\n" }.joined()
    text += "CREATE TABLE \(table.name.asSQLName) (\n"
    let keys = table.primaryKey
    var lines = table.columns.map { column in
      let name = "  " + column.name.asSQLName
      let type = column.type.name(in: dialect)
      return name + (type.isEmpty ? "" : " " + type)
        // A single integer as primary key is the number of the row in SQLite.
        + (keys == [column.name] ? "\(constraints[number].primaryKey) PRIMARY KEY" : "")
        + (keys.contains(column.name) ? " NOT NULL" : "")
        + (table.secondKey == column ? " NOT NULL\(constraints[number].secondKey) UNIQUE" : "")
    }
    if keys.count > 1 {
      lines.append(" \(constraints[number].primaryKey) PRIMARY KEY (\(keys.map(\.asSQLName).joined(separator: ", ")))")
    }
    if dialect == .sqlite { lines += references(of: number).map { "  \($0) DEFERRABLE INITIALLY DEFERRED" } }
    return text + lines.joined(separator: ",\n") + "\n);\n"
  }

  /// The foreign keys of a table, without a name.
  private func references(of number: Int) -> [String] {
    let table = layout.tables[number]
    var keys: [String] = []
    if let column = table.parentColumn, let parent = table.parent, let key = layout.tables[parent].keyColumn {
      keys.append(reference(column, parent, key))
    }
    for link in links where link.table == number {
      guard let key = layout.tables[link.target].keyColumn else { continue }
      keys.append(reference(table.slots[link.slot].columns[0], link.target, key))
    }
    return keys
  }

  private func reference(_ column: SQLColumn, _ target: Int, _ key: SQLColumn) -> String {
    "FOREIGN KEY (\(column.name.asSQLName)) REFERENCES \(layout.tables[target].name.asSQLName) (\(key.name.asSQLName))"
  }

  private var end: String {
    var text = ""
    for index in indexes {
      let table = layout.tables[index.table]
      let column = table.slots[index.slot].columns[0]
      text += "CREATE INDEX \(index.name.asSQLName) ON \(table.name.asSQLName) (\(column.name.asSQLName));\n"
    }
    // Keys that are checked once are faster than keys that are checked for each row. SQLite cannot add any.
    if dialect == .postgresql {
      for number in layout.tables.indices {
        for key in references(of: number) {
          text += "ALTER TABLE \(layout.tables[number].name.asSQLName) ADD \(key);\n"
        }
      }
    }
    return text + "COMMIT;\n"
  }

  // MARK: Rows

  private func writeRows<Failure: Error>(
    to append: ([UInt8]) throws(Failure) -> Void, _ progress: (Int) -> Void
  ) throws(Failure) {
    let literal = SQLLiteral(dialect: dialect)
    let columns = layout.tables.map(\.columns)
    var batches = layout.tables.map { SQLBatch($0) }
    var count = 0
    try SQLRows.visit(roots, in: layout) { row throws(Failure) in
      let table = layout.tables[row.table]
      if columns[row.table].isEmpty { return }
      batches[row.table].add { bytes in row.append(to: &bytes, of: table, literal) }
      if table.rows == .roots { count += 1 }
      if batches[row.table].count >= Self.batch {
        try append(batches[row.table].finish())
        progress(count)
      }
    }
    for number in batches.indices where batches[number].count > 0 { try append(batches[number].finish()) }
  }
}

/// Rows of a table on their way.
private struct SQLBatch {
  private let beginning: [UInt8]
  private var bytes: [UInt8] = []

  init(_ table: SQLTable) {
    let columns = table.columns.map(\.name.asSQLName).joined(separator: ", ")
    beginning = Array("INSERT INTO \(table.name.asSQLName) (\(columns)) VALUES\n".utf8)
  }

  /// The number of bytes so far.
  var count: Int { bytes.count }

  mutating func add(_ row: (inout [UInt8]) -> Void) {
    bytes += bytes.isEmpty ? beginning : Array(",\n".utf8)
    row(&bytes)
  }

  /// The statement. The next row begins a new one.
  mutating func finish() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes + Array(";\n".utf8)
  }
}

extension SQLRow {
  /// Appends the values of the columns, in parentheses.
  fileprivate func append(to bytes: inout [UInt8], of table: SQLTable, _ literal: SQLLiteral) {
    var separator = UInt8(ascii: "(")
    func append(_ value: UntypedValue?, _ column: SQLColumn) {
      bytes.append(separator)
      separator = UInt8(ascii: ",")
      literal.append(value, as: column.type, to: &bytes)
    }
    if case .number(let name) = table.key { append(UntypedValue(Int64(number)), SQLColumn(name: name, type: .integer)) }
    if let column = table.parentColumn { append(parentKey, column) }
    if let column = table.positionColumn { append(position, column) }
    for (slot, value) in zip(table.slots, cells) {
      if slot.child != nil {
        for column in slot.columns { append(value?.memberCount, column) }
      } else {
        for column in slot.columns { append(value, column) }
      }
    }
    bytes.append(UInt8(ascii: ")"))
  }
}

extension UntypedValue {
  /// The number of elements or members; nil for null.
  fileprivate var memberCount: UntypedValue? {
    (array?.count ?? record?.underestimatedCount).map { UntypedValue($0) }
  }
}
