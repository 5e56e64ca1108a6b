/// Appends values as JSON text (RFC 8259), without white space.
///
/// Besides what JSON demands, control characters up to U+009F and the line separators U+2028 and U+2029 are escaped, so
/// that a line of the file is a line to every tool, and a terminal is not steered by a note.
struct JSONText {
  private(set) var bytes: [UInt8] = []

  mutating func raw(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ item: Item) {
    switch item.content {
    case .null: raw("null")
    case .bool(let value): value ? raw("true") : raw("false")
    case .integer(let value): bytes.append(contentsOf: String(value).utf8)
    case .unsigned(let value): bytes.append(contentsOf: String(value).utf8)
    case .real(let value), .rounded(let value): append(value)
    case .string(let value): append(value)
    case .date(let seconds): append(Item(Representation.textual(date: seconds)))
    case .data(let value): append(Representation.base64(value))
    case .array(let items):
      raw("[")
      for (index, item) in items.enumerated() {
        if index > 0 { raw(",") }
        append(item)
      }
      raw("]")
    case .dictionary(let members):
      raw("{")
      for (index, member) in members.enumerated() {
        if index > 0 { raw(",") }
        append(member.key)
        raw(":")
        append(member.value)
      }
      raw("}")
    }
  }

  /// A number always has a point or an exponent, so that it is told from an integer.
  private mutating func append(_ number: Double) {
    if number.isFinite {
      bytes.append(contentsOf: number.description.utf8)
    } else {
      append(Representation.text(nonFinite: number))
    }
  }

  mutating func append(_ text: String) {
    raw("\"")
    var text = text
    text.withUTF8 { utf8 in
      var start = 0
      var index = 0
      while index < utf8.count {
        let (escape, length) = Self.escape(at: index, in: utf8)
        if let escape {
          bytes.append(contentsOf: utf8[start..<index])
          bytes.append(contentsOf: escape.utf8)
          start = index + length
        }
        index += length
      }
      bytes.append(contentsOf: utf8[start...])
    }
    raw("\"")
  }

  /// The escape for the character at an index, if it needs one, and the bytes to go on by.
  private static func escape(at index: Int, in utf8: UnsafeBufferPointer<UInt8>) -> (String?, Int) {
    switch utf8[index] {
    case UInt8(ascii: "\""): return ("\\\"", 1)
    case UInt8(ascii: "\\"): return ("\\\\", 1)
    case 0x08: return ("\\b", 1)
    case 0x09: return ("\\t", 1)
    case 0x0A: return ("\\n", 1)
    case 0x0C: return ("\\f", 1)
    case 0x0D: return ("\\r", 1)
    case let byte where byte < 0x20 || byte == 0x7F: return (unicode(UInt32(byte)), 1)
    case 0xC2 where utf8[index + 1] < 0xA0: return (unicode(UInt32(utf8[index + 1])), 2)
    case 0xE2 where utf8[index + 1] == 0x80 && (utf8[index + 2] == 0xA8 || utf8[index + 2] == 0xA9):
      return (unicode(0x2000 | UInt32(utf8[index + 2] & 0x3F)), 3)
    default: return (nil, 1)
    }
  }

  private static func unicode(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
