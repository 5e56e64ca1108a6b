/// The names of keys, where PostgreSQL would give a key a name that a table has.
///
/// PostgreSQL makes an index for each key. It names it after the table and the columns, and does not know the tables
/// that follow: https://www.postgresql.org/docs/current/sql-createtable.html, “CONSTRAINT”.
struct SQLConstraintNames {
  /// The words in front of the keys of a table; empty if the database finds the names.
  struct Words {
    var primaryKey = ""
    var secondKey = ""
  }

  private let words: [Words]

  init(in layout: inout SQLLayout) {
    var words = Array(repeating: Words(), count: layout.tables.count)
    for (number, table) in layout.tables.enumerated() where layout.dialect == .postgresql {
      if !table.primaryKey.isEmpty { words[number].primaryKey = Self.word("\(table.name)_pkey", &layout.names) }
      if let column = table.secondKey {
        words[number].secondKey = Self.word("\(table.name)_\(column.name)_key", &layout.names)
      }
    }
    self.words = words
  }

  subscript(table: Int) -> Words { words[table] }

  private static func word(_ wish: String, _ names: inout SQLNames) -> String {
    let name = names.add(wish)
    return name == wish ? "" : " CONSTRAINT \(name.asSQLName)"
  }
}
