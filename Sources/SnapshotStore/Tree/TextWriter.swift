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
  /// What stands around the properties of a record that writes itself; nil if the format has no such way.
  static func recordFrame(for table: String) -> RecordFrame?
}

extension TextWriter {
  static func beginTable(_ name: String, isEmpty: Bool, _ sink: inout ByteSink) {}
  static func endRecords(_ sink: inout ByteSink) {}
  static func endTable(isEmpty: Bool, _ sink: inout ByteSink) {}
  static func end(_ sink: inout ByteSink) {}
  static var tellsSingleValues: Bool { false }
  static func recordFrame(for table: String) -> RecordFrame? { nil }
}

/// What stands around the properties of records that write themselves.
struct RecordFrame {
  /// The cursor that reads what is written so.
  let cursor: Any.Type
  /// What stands before the first property of a record.
  var start: [UInt8]
  /// What stands between the last property and the start of the next record.
  var end: StaticString
}
