/// Writes a document as an XML property list, in the layout that Apple's tools use: one element a line, tabs.
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

  static func begin(schema: String, version: Int, _ sink: inout ByteSink) {
    member("schema", Item(.string(schema)), 2, &sink)
    member("version", Item(.of(version)), 2, &sink)
    line("</dict>", 1, &sink)
  }

  static func beginTable(_ name: String, isEmpty: Bool, _ sink: inout ByteSink) {
    line("<key>\(escaped(name))</key>", 1, &sink)
    if !isEmpty { line("<array>", 1, &sink) }
  }

  static func append(_ record: Item, of table: String, _ sink: inout ByteSink) { append(record, 2, &sink) }

  static func endTable(isEmpty: Bool, _ sink: inout ByteSink) {
    line(isEmpty ? "<array/>" : "</array>", 1, &sink)
  }

  static func end(_ sink: inout ByteSink) {
    line("</dict>", 0, &sink)
    line("</plist>", 0, &sink)
  }

  private static func line(_ text: String, _ level: Int, _ sink: inout ByteSink) {
    sink.append(UInt8(ascii: "\t"), times: level)
    sink.append(contentsOf: text)
    sink.append(UInt8(ascii: "\n"))
  }

  private static func member(_ key: String, _ value: Item, _ level: Int, _ sink: inout ByteSink) {
    line("<key>\(escaped(key))</key>", level, &sink)
    append(value, level, &sink)
  }

  private static func append(_ item: Item, _ level: Int, _ sink: inout ByteSink) {
    switch item.content {
    case .null: line("<string>$null</string>", level, &sink)
    case .bool(let value): line(value ? "<true/>" : "<false/>", level, &sink)
    case .integer(let value): line("<integer>\(value)</integer>", level, &sink)
    case .unsigned(let value): line("<integer>\(value)</integer>", level, &sink)
    case .real(let value), .rounded(let value):
      line(
        value.isFinite ? "<real>\(value)</real>" : "<string>\(Representation.text(nonFinite: value))</string>", level,
        &sink)
    case .string(let text): line(element("string", Representation.escapingNull(text)), level, &sink)
    case .date(let seconds): append(date: seconds, level, &sink)
    case .data(let bytes): line("<data>\(Representation.base64(bytes))</data>", level, &sink)
    case .array(let items): append(items, level, &sink)
    case .dictionary(let members): append(members, level, &sink)
    }
  }

  private static func append(date seconds: Double, _ level: Int, _ sink: inout ByteSink) {
    if case .string(let text) = Representation.textual(date: seconds), seconds == seconds.rounded() {
      line("<date>\(text)</date>", level, &sink)
    } else {
      append(Item(Representation.textual(date: seconds)), level, &sink)
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
    if members.contains(where: { !canHold($0.key) }) {
      line("<array>", level, &sink)
      for member in members {
        line(element("string", Representation.escapingNull(member.key)), level + 1, &sink)
        append(member.value, level + 1, &sink)
      }
      return line("</array>", level, &sink)
    }
    line("<dict>", level, &sink)
    for value in members { member(value.key, value.value, level + 1, &sink) }
    line("</dict>", level, &sink)
  }
}

// MARK: - Text

extension XMLWriter {
  /// A text as an element, or as data if XML cannot hold it.
  private static func element(_ name: String, _ text: String) -> String {
    canHold(text) ? "<\(name)>\(escaped(text))</\(name)>" : "<data>\(Representation.base64(Array(text.utf8)))</data>"
  }

  /// Whether every character is a `Char` of XML 1.0, section 2.2.
  private static func canHold(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      case 0x09, 0x0A, 0x0D: true
      case 0..<0x20, 0xFFFE, 0xFFFF: false
      default: true
      }
    }
  }

  /// A carriage return is written by its number, or every XML parser would read it as a line feed.
  private static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: { [0x26, 0x3C, 0x3E, 0x0D].contains($0) }) else { return text }
    var result: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): result += "&amp;".utf8
      case UInt8(ascii: "<"): result += "&lt;".utf8
      case UInt8(ascii: ">"): result += "&gt;".utf8
      case 0x0D: result += "&#13;".utf8
      default: result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
