/// Appends values as elements of an XML property list. The caller has written the beginning of the line.
enum XMLText {
  static func append(_ number: Double, to sink: inout ByteSink) {
    guard number.isFinite else {
      sink.append("<string>")
      sink.append(contentsOf: Representation.text(nonFinite: number))
      return sink.append("</string>")
    }
    sink.append("<real>")
    sink.append(contentsOf: number.description)
    sink.append("</real>")
  }

  static func append(integer number: Int64, to sink: inout ByteSink) {
    sink.append("<integer>")
    sink.append(decimal: number)
    sink.append("</integer>")
  }

  static func append(integer number: UInt64, to sink: inout ByteSink) {
    sink.append("<integer>")
    sink.append(decimal: number)
    sink.append("</integer>")
  }

  static func append(_ truth: Bool, to sink: inout ByteSink) { sink.append(truth ? "<true/>" : "<false/>") }

  /// Appends a date. It is text if it has a fraction, which `<date>` does not allow, and if it has no usual form.
  static func append(date seconds: Double, to sink: inout ByteSink) {
    let start = sink.count
    let isWhole = seconds == seconds.rounded()
    sink.append(isWhole ? "<date>" : "<string>")
    if TextDate.append(seconds, to: &sink) { return sink.append(isWhole ? "</date>" : "</string>") }
    sink.removeLast(sink.count - start)
    sink.append("<string>")
    sink.append(contentsOf: StandIn.text(farDate: seconds))
    sink.append("</string>")
  }

  static func append(data bytes: [UInt8], to sink: inout ByteSink) {
    sink.append("<data>")
    sink.append(contentsOf: Representation.base64(bytes))
    sink.append("</data>")
  }

  static func append(_ text: String, to sink: inout ByteSink) {
    sink.append("<string>")
    append(content: text, XMLFormat.standIns, to: &sink)
    sink.append("</string>")
  }

  static func append(key: String, to sink: inout ByteSink) {
    sink.append("<key>")
    append(content: key, .texts, to: &sink)
    sink.append("</key>")
  }

  /// Appends a text. Its first character becomes a reference if the text could be mistaken for a stand-in of a kind. It
  /// is a stand-in itself if XML forbids one of its characters.
  private static func append(content text: String, _ kinds: StandIn.Kinds, to sink: inout ByteSink) {
    let start = sink.count
    var text = text
    let isGood = text.withUTF8 { utf8 in
      if StandIn.content(of: utf8, among: kinds) != nil {
        sink.append("&#")
        sink.append(decimal: UInt64(utf8[0]))
        sink.append(";")
        return append(escaping: utf8, from: 1, to: &sink)
      }
      // `$null` stands for null as a value; see `Representation`.
      if kinds != .texts, ByteText.isNullLike(utf8) { sink.append("$") }
      return append(escaping: utf8, from: 0, to: &sink)
    }
    if isGood { return }
    sink.removeLast(sink.count - start)
    sink.append(contentsOf: StandIn.text(forbidden: text))
  }

  /// Appends text from an index on, with references for markup characters. Returns false at the first character that
  /// XML forbids.
  ///
  /// A carriage return is written as a numeric reference. XML parsers would read a plain one as a line feed.
  private static func append(
    escaping utf8: UnsafeBufferPointer<UInt8>, from index: Int, to sink: inout ByteSink
  ) -> Bool {
    var start = index
    while true {
      let end = ByteText.endOfPlainXML(utf8, from: start, stopsAtGreater: true)
      if end > start { sink.append(UnsafeBufferPointer(rebasing: utf8[start..<end])) }
      guard end < utf8.count else { return true }
      switch utf8[end] {
      case UInt8(ascii: "&"): sink.append("&amp;")
      case UInt8(ascii: "<"): sink.append("&lt;")
      case UInt8(ascii: ">"): sink.append("&gt;")
      case 0x0D: sink.append("&#13;")
      default: return false
      }
      start = end + 1
    }
  }
}

/// Properties of records that write themselves: one line for the key, one or more for the value.
extension XMLText {
  static func append(recordKey key: StaticString, to sink: inout ByteSink) {
    sink.append("\t\t\t<key>")
    sink.append(key)
    sink.append("</key>\n\t\t\t")
  }

  static func append(recordTexts texts: [String], to sink: inout ByteSink) {
    if texts.isEmpty { return sink.append("<array/>\n") }
    sink.append("<array>\n")
    for text in texts {
      sink.append("\t\t\t\t")
      append(text, to: &sink)
      sink.append("\n")
    }
    sink.append("\t\t\t</array>\n")
  }

  /// An empty dictionary is one tag.
  static func endEmptyRecord(_ sink: inout ByteSink) {
    sink.removeLast("<dict>\n".utf8.count)
    sink.append("<dict/>\n")
  }
}
