/// Appends values as JSON text (RFC 8259), without white space.
///
/// Besides the characters that JSON requires, it escapes control characters up to U+009F, U+2028 and U+2029. So every
/// tool sees the same lines, and the text of a record cannot control a terminal.
enum JSONText {
  static func append(_ item: Item, to sink: inout ByteSink) {
    switch item.content {
    case .null: sink.append("null")
    case .bool(let value): sink.append(value ? "true" : "false")
    case .integer(let value): sink.append(decimal: value)
    case .unsigned(let value): sink.append(decimal: value)
    case .real(let value): append(value, to: &sink)
    case .decimal(let text): sink.append(contentsOf: text)
    case .string(let value): append(value, to: &sink)
    case .date(let seconds): append(date: seconds, to: &sink)
    case .data(let value): append(plain: StandIn.text(data: value), to: &sink)
    case .array(let items):
      sink.append("[")
      for (index, item) in items.enumerated() {
        if index > 0 { sink.append(",") }
        append(item, to: &sink)
      }
      sink.append("]")
    case .dictionary(let members):
      sink.append("{")
      for (index, member) in members.enumerated() {
        if index > 0 { sink.append(",") }
        append(plain: member.key.text, to: &sink)
        sink.append(":")
        append(member.value, to: &sink)
      }
      sink.append("}")
    }
  }

  /// Appends a number. It always has a point or an exponent, which distinguishes it from an integer.
  static func append(_ number: Double, to sink: inout ByteSink) {
    if number.isFinite {
      sink.append(contentsOf: number.description)
    } else {
      append(plain: Representation.text(nonFinite: number), to: &sink)
    }
  }

  static func append(date seconds: Double, to sink: inout ByteSink) {
    sink.append("\"")
    if !TextDate.append(seconds, to: &sink) { sink.append(contentsOf: StandIn.text(farDate: seconds)) }
    sink.append("\"")
  }

  /// Appends a text as a value. Its first character is escaped if it could be mistaken for a stand-in.
  static func append(_ text: String, to sink: inout ByteSink) {
    var text = text
    text.withUTF8 { utf8 in
      let isStandIn = StandIn.content(of: utf8, among: JSONFormat.standIns) != nil
      sink.append("\"")
      if isStandIn { append(escape: UInt32(utf8[0]), to: &sink) }
      append(content: utf8, from: isStandIn ? 1 : 0, to: &sink)
    }
  }

  /// Appends a key, a stand-in, or a text for other programs.
  static func append(plain text: String, to sink: inout ByteSink) {
    var text = text
    sink.append("\"")
    text.withUTF8 { append(content: $0, from: 0, to: &sink) }
  }

  /// Appends the text from an index on, and the closing quotation mark.
  private static func append(content utf8: UnsafeBufferPointer<UInt8>, from index: Int, to sink: inout ByteSink) {
    var start = index
    while start < utf8.count {
      let end = endOfPlain(utf8, from: start)
      sink.append(UnsafeBufferPointer(rebasing: utf8[start..<end]))
      start = end
      if start < utf8.count { start += appendEscape(of: utf8, at: start, to: &sink) }
    }
    sink.append("\"")
  }

  /// Appends the key of a property that a record writes itself, with the comma before it. The key needs no escapes.
  static func append(key: StaticString, isFirst: Bool, to sink: inout ByteSink) {
    let length = key.utf8CodeUnitCount
    let place = sink.reserve(length + 4)
    var next = 0
    if !isFirst {
      place[0] = UInt8(ascii: ",")
      next = 1
    }
    place[next] = UInt8(ascii: "\"")
    (place + next + 1).update(from: key.utf8Start, count: length)
    place[next + 1 + length] = UInt8(ascii: "\"")
    place[next + 2 + length] = UInt8(ascii: ":")
    sink.advance(next + length + 3)
  }

  /// Appends the key of a property, with the comma before it. Returns the place of the key.
  static func append(key: String, isFirst: Bool, to sink: inout ByteSink) -> Range<Int> {
    var key = key
    return key.withUTF8 { utf8 in
      let place = sink.reserve(utf8.count + 4)
      var next = 0
      if !isFirst {
        place[0] = UInt8(ascii: ",")
        next = 1
      }
      place[next] = UInt8(ascii: "\"")
      let start = sink.count + next + 1
      if let base = utf8.baseAddress, ByteText.endOfPlainText(utf8, from: 0) == utf8.count {
        (place + next + 1).update(from: base, count: utf8.count)
        place[next + 1 + utf8.count] = UInt8(ascii: "\"")
        sink.advance(next + utf8.count + 2)
      } else {
        sink.advance(next + 1)
        append(content: utf8, from: 0, to: &sink)
      }
      sink.append(UInt8(ascii: ":"))
      return start..<sink.count - 2
    }
  }

  /// The offset of the next character that needs an escape.
  private static func endOfPlain(_ utf8: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var index = start
    while true {
      index = ByteText.endOfPlainText(utf8, from: index)
      guard index < utf8.count else { return index }
      switch utf8[index] {
      // U+0080 to U+009F; U+2028 and U+2029.
      case 0xC2 where utf8[index + 1] >= 0xA0: index += 2
      case 0xE2 where utf8[index + 1] != 0x80 || utf8[index + 2] & 0xFE != 0xA8: index += 3
      default: return index
      }
    }
  }

  /// Appends the escape for the character at an index, and returns the length of the character.
  private static func appendEscape(of utf8: UnsafeBufferPointer<UInt8>, at index: Int, to sink: inout ByteSink) -> Int {
    switch utf8[index] {
    case UInt8(ascii: "\""): sink.append("\\\"")
    case UInt8(ascii: "\\"): sink.append("\\\\")
    case 0x08: sink.append("\\b")
    case 0x09: sink.append("\\t")
    case 0x0A: sink.append("\\n")
    case 0x0C: sink.append("\\f")
    case 0x0D: sink.append("\\r")
    case 0xC2:
      append(escape: UInt32(utf8[index + 1]), to: &sink)
      return 2
    case 0xE2:
      append(escape: 0x2000 | UInt32(utf8[index + 2] & 0x3F), to: &sink)
      return 3
    case let byte: append(escape: UInt32(byte), to: &sink)
    }
    return 1
  }

  private static func append(escape value: UInt32, to sink: inout ByteSink) {
    sink.append("\\u")
    for shift in stride(from: 12, through: 0, by: -4) {
      let digit = UInt8(value >> UInt32(shift) & 0xF)
      sink.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
    }
  }
}
