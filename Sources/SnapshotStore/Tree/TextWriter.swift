/// A writer of documents in a text format, in which the bytes of a record do not depend on its place.
///
/// So records can be written separately, on several threads or at different times, and joined afterwards.
protocol TextWriter {
  /// Writes the part between the checksum and the first table.
  static func begin(_ header: HeaderContent, _ sink: inout ByteSink)
  static func beginTable(_ name: String, isEmpty: Bool, _ sink: inout ByteSink)
  /// Appends a record, with the separator to the next one.
  static func append(_ record: Item, of table: String, _ sink: inout ByteSink)
  /// Removes the separator after the last record of a table, and prepares for a next table.
  static func endRecords(_ sink: inout ByteSink)
  static func endTable(isEmpty: Bool, _ sink: inout ByteSink)
  /// Appends a single value under its name.
  static func append(value: Item, as name: String, _ sink: inout ByteSink)
  static func end(_ sink: inout ByteSink)
  /// The text around the properties of a record that writes itself; nil if the format has no direct writing.
  static func recordFrame(for table: String) -> RecordFrame?
}

extension TextWriter {
  static func endRecords(_ sink: inout ByteSink) {}
  static func endTable(isEmpty: Bool, _ sink: inout ByteSink) {}
  static func end(_ sink: inout ByteSink) {}
  static func recordFrame(for table: String) -> RecordFrame? { nil }
}

/// The text around the properties of records that write themselves.
struct RecordFrame {
  /// The cursor that reads this form.
  let cursor: Any.Type
  /// The text before the first property of a record.
  var start: [UInt8]
  /// The text between the last property and the start of the next record.
  var end: StaticString
}
