/// Writes documents of a format in which every record has bytes of its own, wherever it stands: text.
///
/// So records can be written apart, on several threads or at different times, and put together.
protocol TextWriter {
  /// What stands between the checksum and the first table.
  static func begin(schema: String, version: Int, _ sink: inout ByteSink)
  static func beginTable(_ name: String, isEmpty: Bool, _ sink: inout ByteSink)
  /// A record, with what separates it from the next one.
  static func append(_ record: Item, of table: String, _ sink: inout ByteSink)
  /// Takes away what stands after the last record of a table, and separates it from a next one.
  static func endRecords(_ sink: inout ByteSink)
  static func endTable(isEmpty: Bool, _ sink: inout ByteSink)
  /// A single value under its name.
  static func append(value: Item, as name: String, _ sink: inout ByteSink)
  static func end(_ sink: inout ByteSink)
  /// Whether the format tells single values from tables, and knows no empty table.
  static var tellsSingleValues: Bool { get }
  /// A writer for records that write themselves; nil if there is none for the format.
  static func recordWriter(for table: String) -> RecordWriter?
}

extension TextWriter {
  static func beginTable(_ name: String, isEmpty: Bool, _ sink: inout ByteSink) {}
  static func endRecords(_ sink: inout ByteSink) {}
  static func endTable(isEmpty: Bool, _ sink: inout ByteSink) {}
  static func end(_ sink: inout ByteSink) {}
  static var tellsSingleValues: Bool { false }
  static func recordWriter(for table: String) -> RecordWriter? { nil }
}

extension FileFormat {
  /// The writer of a text format; nil for the binary list.
  var textWriter: (any TextWriter.Type)? {
    switch self {
    case .json: JSONWriter.self
    case .ndjson: NDJSONWriter.self
    case .xml: XMLWriter.self
    case .binary: nil
    }
  }
}
