/// Writes a document as an XML property list, in the layout of Apple's tools: one element on each line, indented by
/// tabs.
struct XMLWriter: TextWriter {
  /// The lines before the checksum.
  static let prologue = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    \t<key>snapshot</key>
    \t<dict>
    \t\t<key>checksum</key>

    """

  static func begin(_ header: HeaderContent, _ sink: inout ByteSink) {
    member("schema", Item(.string(header.schema)), 2, &sink)
    member("version", Item(.of(header.version)), 2, &sink)
    for more in header.more() { member(more.key.text, more.value, 2, &sink) }
    line("</dict>", 1, &sink)
  }

  static func beginTable(_ name: String, isEmpty: Bool, _ sink: inout ByteSink) {
    line(1, &sink) { XMLText.append(key: name, to: &$0) }
    if !isEmpty { line("<array>", 1, &sink) }
  }

  static func append(_ record: Item, of table: String, _ sink: inout ByteSink) { append(record, 2, &sink) }

  static func endTable(isEmpty: Bool, _ sink: inout ByteSink) {
    line(isEmpty ? "<array/>" : "</array>", 1, &sink)
  }

  static func append(value: Item, as name: String, _ sink: inout ByteSink) { member(name, value, 1, &sink) }

  static func end(_ sink: inout ByteSink) {
    line("</dict>", 0, &sink)
    line("</plist>", 0, &sink)
  }

  static func recordFrame(for table: String) -> RecordFrame? {
    RecordFrame(cursor: XMLCursor.self, start: Array("\t\t<dict>\n".utf8), end: "\t\t</dict>\n")
  }

  private static func line(_ text: StaticString, _ level: Int, _ sink: inout ByteSink) {
    line(level, &sink) { $0.append(text) }
  }

  private static func line(_ level: Int, _ sink: inout ByteSink, _ append: (inout ByteSink) -> Void) {
    sink.append(UInt8(ascii: "\t"), times: level)
    append(&sink)
    sink.append(UInt8(ascii: "\n"))
  }

  private static func member(_ key: String, _ value: Item, _ level: Int, _ sink: inout ByteSink) {
    line(level, &sink) { XMLText.append(key: key, to: &$0) }
    append(value, level, &sink)
  }

  /// Appends a value, with the indentation of a level.
  static func append(_ item: Item, _ level: Int, _ sink: inout ByteSink) {
    switch item.content {
    case .array(let items): append(items, level, &sink)
    case .dictionary(let members): append(members, level, &sink)
    default:
      sink.append(UInt8(ascii: "\t"), times: level)
      append(scalar: item, &sink)
      sink.append(UInt8(ascii: "\n"))
    }
  }

  private static func append(scalar item: Item, _ sink: inout ByteSink) {
    switch item.content {
    case .null: sink.append("<string>$null</string>")
    case .bool(let value): XMLText.append(value, to: &sink)
    case .integer(let value): XMLText.append(integer: value, to: &sink)
    case .unsigned(let value): XMLText.append(integer: value, to: &sink)
    case .real(let value): XMLText.append(value, to: &sink)
    case .decimal(let text):
      let element = NumberText.isDecimal(text, isInteger: true) ? "integer" : "real"
      sink.append(contentsOf: "<\(element)>\(text)</\(element)>")
    case .string(let text): XMLText.append(text, to: &sink)
    case .date(let seconds): XMLText.append(date: seconds, to: &sink)
    case .data(let bytes): XMLText.append(data: bytes, to: &sink)
    case .array, .dictionary: break
    }
  }

  private static func append(_ items: [Item], _ level: Int, _ sink: inout ByteSink) {
    if items.isEmpty { return line("<array/>", level, &sink) }
    line("<array>", level, &sink)
    for item in items { append(item, level + 1, &sink) }
    line("</array>", level, &sink)
  }

  private static func append(_ members: [Item.Member], _ level: Int, _ sink: inout ByteSink) {
    if members.isEmpty { return line("<dict/>", level, &sink) }
    line("<dict>", level, &sink)
    for value in members { member(value.key.text, value.value, level + 1, &sink) }
    line("</dict>", level, &sink)
  }
}
