/// Writes a document as JSON: the header on two lines, then one record on each line. So `git diff` shows a changed
/// record as one changed line.
///
///     {"snapshot":{"checksum":2715303405,
///     "schema":"notebook","version":1},
///     "attachments":[],
///     "notes":[
///     {"id":1001,"text":"…"},
///     {"id":1002,"text":"…"}
///     ],
///     "theme":{"isDark":true}}
struct JSONWriter: TextWriter {
  static func begin(_ header: HeaderContent, _ sink: inout ByteSink) {
    append(header, header.more(), &sink)
    sink.append("}")
  }

  /// Appends the members of a header.
  fileprivate static func append(_ header: HeaderContent, _ more: [Item.Member], _ sink: inout ByteSink) {
    sink.append("\"schema\":")
    JSONText.append(header.schema, to: &sink)
    sink.append(",\"version\":")
    sink.append(decimal: Int64(header.version))
    for member in more {
      sink.append(",")
      JSONText.append(plain: member.key.text, to: &sink)
      sink.append(":")
      JSONText.append(member.value, to: &sink)
    }
  }

  static func beginTable(_ name: String, isEmpty: Bool, _ sink: inout ByteSink) {
    sink.append(",\n")
    JSONText.append(plain: name, to: &sink)
    sink.append(isEmpty ? ":[" : ":[\n")
  }

  static func append(_ record: Item, of table: String, _ sink: inout ByteSink) {
    JSONText.append(record, to: &sink)
    sink.append(",\n")
  }

  /// Removes the comma and the line feed after the last record.
  static func endRecords(_ sink: inout ByteSink) { sink.removeLast(2) }

  static func endTable(isEmpty: Bool, _ sink: inout ByteSink) {
    sink.append(isEmpty ? "]" : "\n]")
  }

  static func append(value: Item, as name: String, _ sink: inout ByteSink) {
    sink.append(",\n")
    JSONText.append(plain: name, to: &sink)
    sink.append(":")
    JSONText.append(value, to: &sink)
  }

  static func end(_ sink: inout ByteSink) { sink.append("}\n") }

  static func recordFrame(for table: String) -> RecordFrame? {
    RecordFrame(cursor: JSONCursor.self, start: [UInt8(ascii: "{")], end: "},\n")
  }
}

/// Writes a document as newline-delimited JSON.
///
///     {"snapshot":{"checksum":2715303405}}
///     {"snapshot":{"schema":"notebook","version":1}}
///     {"emptyTable":"attachments"}
///     {"table":"notes","record":{"id":1001,"text":"…"}}
///     {"field":"theme","value":{"isDark":true}}
struct NDJSONWriter: TextWriter {
  /// The lines of single values say that they are none of tables, so the header need not name them.
  static func begin(_ header: HeaderContent, _ sink: inout ByteSink) {
    sink.append("{\"snapshot\":{")
    JSONWriter.append(header, header.more(tellsSingleValues: true), &sink)
    sink.append("}}\n")
  }

  /// The key of the line is another one than for records. So a program that selects the lines of a table finds records
  /// only.
  static func beginTable(_ name: String, isEmpty: Bool, _ sink: inout ByteSink) {
    guard isEmpty else { return }
    sink.append("{\"emptyTable\":")
    JSONText.append(name, to: &sink)
    sink.append("}\n")
  }

  static func append(_ record: Item, of table: String, _ sink: inout ByteSink) {
    beginLine(of: table, &sink)
    JSONText.append(record, to: &sink)
    sink.append("}\n")
  }

  static func append(value: Item, as name: String, _ sink: inout ByteSink) {
    sink.append("{\"field\":")
    JSONText.append(name, to: &sink)
    sink.append(",\"value\":")
    JSONText.append(value, to: &sink)
    sink.append("}\n")
  }

  private static func beginLine(of table: String, _ sink: inout ByteSink) {
    sink.append("{\"table\":")
    JSONText.append(table, to: &sink)
    sink.append(",\"record\":")
  }

  static func recordFrame(for table: String) -> RecordFrame? {
    var start = ByteSink(capacity: 64)
    beginLine(of: table, &start)
    start.append("{")
    return RecordFrame(cursor: JSONCursor.self, start: Array(start.bytes), end: "}}\n")
  }
}
