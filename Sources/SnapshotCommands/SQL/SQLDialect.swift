/// A database whose SQL an export is in.
enum SQLDialect: String, CaseIterable {
  case sqlite
  case postgresql

  /// The name as people write it.
  var title: String {
    switch self {
    case .sqlite: "SQLite"
    case .postgresql: "PostgreSQL"
    }
  }
}

/// The type of a column. It holds every value of the column exactly, or the column has another type.
enum SQLType: Equatable {
  case bool
  case integer
  /// Integers, some of them above `Int64.max`.
  case unsigned
  case real
  /// Numbers with a negative zero, which a column of reals in SQLite would lose.
  case signedZero
  case text
  case uuid
  /// Dates, each with this number of digits after the second. The order of such texts is that of the times.
  case dateText(digits: Int)
  /// Dates to the microsecond.
  case timestamp
  case data
  /// The value as JSON, in the exact form that a snapshot has.
  case json

  /// The name of the type; empty for a column in SQLite that converts nothing.
  func name(in dialect: SQLDialect) -> String {
    switch (self, dialect) {
    case (.bool, _): "BOOLEAN"
    case (.integer, .sqlite): "INTEGER"
    case (.integer, .postgresql): "bigint"
    case (.unsigned, .postgresql): "numeric(20,0)"
    case (.real, .sqlite): "REAL"
    case (.real, .postgresql), (.signedZero, .postgresql): "double precision"
    case (.signedZero, .sqlite): ""
    case (.uuid, .postgresql): "uuid"
    case (.timestamp, .postgresql): "timestamp with time zone"
    case (.data, .sqlite): "BLOB"
    case (.data, .postgresql): "bytea"
    case (.json, .postgresql): "json"
    case (.text, .postgresql), (.dateText, .postgresql): "text"
    case (.text, .sqlite): "TEXT"
    // SQLite converts nothing in a column whose type has “TEXT” in its name, but not “INT”. The rest is for people.
    case (.unsigned, .sqlite): "UNSIGNED TEXT"
    case (.uuid, .sqlite): "UUID TEXT"
    case (.dateText, .sqlite), (.timestamp, .sqlite): "DATETIME TEXT"
    case (.json, .sqlite): "JSON TEXT"
    }
  }
}
