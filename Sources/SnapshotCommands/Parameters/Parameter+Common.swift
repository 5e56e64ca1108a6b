import SnapshotStore

/// Parameters that several commands have.
extension Parameter {
  /// A store that is only read.
  static var readStore: Parameter { store("FILE", "a store or a dump of any model, or - for standard input") }

  /// A table of the store.
  static var table: Parameter { operand("TABLE", .table, "the name of a table; “{tool} tables” lists them") }

  /// The id of a record of the table.
  static var recordID: Parameter { operand("ID", .recordID, "the id of the record, or its JSON") }

  /// The format of a whole file.
  static func fileFormat(_ help: String) -> Parameter {
    option("--format", "FORMAT", .words(FileFormat.self), short: "f", help)
  }

  /// A file that is written.
  static func output(_ help: String) -> Parameter {
    option("--output", "OUT", .file(extensions: FileFormat.extensions), short: "o", help)
  }

  /// The condition of `rows` and `watch`.
  static func condition(_ help: String) -> Parameter {
    option("--where", "EXPR", .condition, short: "w", help).repeated
  }
}

extension FileFormat {
  /// The extensions of stores in files.
  static let extensions = ["json", "plist", "bplist", "ndjson"]
}
