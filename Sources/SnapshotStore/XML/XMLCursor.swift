/// A position for direct reading of records in an XML list.
struct XMLCursor {
  var place: ByteCursor
}

/// Properties in an XML list, exactly as `XMLWriter` writes them.
///
/// Each element begins with the line feed and the tabs before it. So a record ends behind its end tag, where the
/// general reader ends it too.
extension ByteCursor {
  /// Whether the next line is a key. Its value is on the line after it.
  private func isNextXML(_ key: StaticString) -> Bool {
    let length = key.utf8CodeUnitCount
    return ByteText.isNext("\n\t\t\t<key>", bytes, at: offset) && ByteText.isNext(key, bytes, at: offset + 9)
      && ByteText.isNext("</key>\n\t\t\t<", bytes, at: offset + 9 + length)
  }

  /// Skips a key if it is next, up to the tag of the value.
  mutating func xmlPassIfNext(_ key: StaticString) -> Bool {
    guard isNextXML(key) else { return false }
    offset += key.utf8CodeUnitCount + 19
    return true
  }

  mutating func xmlBool() throws(NeedsFallback) -> Bool {
    if skip("<true/>") { return true }
    if skip("<false/>") { return false }
    throw NeedsFallback()
  }

  mutating func xmlInteger() throws(NeedsFallback) -> Int64 {
    guard skip("<integer>"), let value = decimalInteger(), skip("</integer>") else { throw NeedsFallback() }
    return value
  }

  mutating func xmlNumber() throws(NeedsFallback) -> Double {
    guard skip("<real>"), let value = decimalNumber(), skip("</real>") else { throw NeedsFallback() }
    return value
  }

  mutating func xmlText() throws(NeedsFallback) -> String {
    guard skip("<string>"), let base = bytes.baseAddress else { throw NeedsFallback() }
    var end = ByteText.endOfPlainXML(bytes, from: offset)
    var hasReferences = false
    while end < bytes.count, bytes[end] == UInt8(ascii: "&") {
      hasReferences = true
      end = ByteText.endOfPlainXML(bytes, from: end + 1)
    }
    // A text that stands for null or for another text, or that has an added `$`, needs the general reader.
    let content = UnsafeBufferPointer(start: base + offset, count: end - offset)
    guard ByteText.isNext("</string>", bytes, at: end), !ByteText.isNullLike(content),
      !ByteText.isNext(StandIn.textMark, content, at: 0)
    else { throw NeedsFallback() }
    let text = hasReferences ? XMLEntities.resolved(content) : String(checkedUTF8: content)
    guard let text, text.utf8.count <= textSize else { throw NeedsFallback() }
    offset = end + 9
    return text
  }

  /// The seconds of a date. A date with a fraction is written as text.
  mutating func xmlDate() throws(NeedsFallback) -> Double {
    let isText = skip("<string>")
    guard isText || skip("<date>"), let base = bytes.baseAddress else { throw NeedsFallback() }
    var end = offset + 19
    while end < min(bytes.count, offset + 32), bytes[end] != UInt8(ascii: "<") { end += 1 }
    guard end < bytes.count,
      let seconds = TextDate.seconds(fast: UnsafeBufferPointer(start: base + offset, count: end - offset))
    else { throw NeedsFallback() }
    offset = end
    guard isText ? skip("</string>") : skip("</date>") else { throw NeedsFallback() }
    return seconds
  }

  mutating func xmlTexts() throws(NeedsFallback) -> [String] {
    if skip("<array/>") { return [] }
    guard skip("<array>") else { throw NeedsFallback() }
    var texts: [String] = []
    while skip("\n\t\t\t\t") { texts.append(try xmlText()) }
    guard !texts.isEmpty, texts.count <= elementCount, skip("\n\t\t\t</array>") else { throw NeedsFallback() }
    return texts
  }
}
