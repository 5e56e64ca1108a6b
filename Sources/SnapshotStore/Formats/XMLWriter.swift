/// Writes a document as an XML property list, in the layout that Apple's tools use: one element a line, tabs.
struct XMLWriter: DocumentWriter {
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

  private var bytes: [UInt8] = []
  private var isEmptyTable = true

  init(schema: String, version: Int) {
    member("schema", Item(.string(schema)), 2)
    member("version", Item(.of(version)), 2)
    line("</dict>", 1)
  }

  mutating func beginTable(_ name: String) {
    line("<key>\(Self.escaped(name))</key>", 1)
    isEmptyTable = true
  }

  mutating func write(_ record: Item) {
    if isEmptyTable { line("<array>", 1) }
    isEmptyTable = false
    append(record, 2)
  }

  mutating func endTable() {
    line(isEmptyTable ? "<array/>" : "</array>", 1)
  }

  mutating func finish() -> [UInt8] {
    line("</dict>", 0)
    line("</plist>", 0)
    return bytes
  }

  private mutating func line(_ text: String, _ level: Int) {
    bytes.append(contentsOf: repeatElement(UInt8(ascii: "\t"), count: level))
    bytes.append(contentsOf: text.utf8)
    bytes.append(UInt8(ascii: "\n"))
  }

  private mutating func member(_ key: String, _ value: Item, _ level: Int) {
    line("<key>\(Self.escaped(key))</key>", level)
    append(value, level)
  }

  private mutating func append(_ item: Item, _ level: Int) {
    switch item.content {
    case .null: line("<string>$null</string>", level)
    case .bool(let value): line(value ? "<true/>" : "<false/>", level)
    case .integer(let value): line("<integer>\(value)</integer>", level)
    case .unsigned(let value): line("<integer>\(value)</integer>", level)
    case .real(let value), .rounded(let value):
      line(
        value.isFinite ? "<real>\(value)</real>" : "<string>\(Representation.text(nonFinite: value))</string>", level)
    case .string(let text): line(Self.element("string", Representation.escapingNull(text)), level)
    case .date(let seconds): append(date: seconds, level)
    case .data(let bytes): line("<data>\(Representation.base64(bytes))</data>", level)
    case .array(let items): append(items, level)
    case .dictionary(let members): append(members, level)
    }
  }

  private mutating func append(date seconds: Double, _ level: Int) {
    if case .string(let text) = Representation.textual(date: seconds), seconds == seconds.rounded() {
      line("<date>\(text)</date>", level)
    } else {
      append(Item(Representation.textual(date: seconds)), level)
    }
  }

  private mutating func append(_ items: [Item], _ level: Int) {
    if items.isEmpty { return line("<array/>", level) }
    line("<array>", level)
    for item in items { append(item, level + 1) }
    line("</array>", level)
  }

  private mutating func append(_ members: [Item.Member], _ level: Int) {
    if members.isEmpty { return line("<dict/>", level) }
    if members.contains(where: { !Self.canHold($0.key) }) {
      line("<array>", level)
      for member in members {
        line(Self.element("string", Representation.escapingNull(member.key)), level + 1)
        append(member.value, level + 1)
      }
      return line("</array>", level)
    }
    line("<dict>", level)
    for value in members { member(value.key, value.value, level + 1) }
    line("</dict>", level)
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
