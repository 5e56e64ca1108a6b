/// What is derived from the text of a note.
struct NoteText {
  private let text: String

  init(_ text: String) { self.text = text }

  /// The first line that is not blank, without the white space around it; empty if there is none. Front matter is no line.
  var title: String {
    if let body = FrontMatter(text)?.body { return NoteText(String(body)).lineTitle }
    return lineTitle
  }

  private var lineTitle: String {
    var text = text
    let line = text.withUTF8 { utf8 in Self.plainTitle(in: utf8).map { String(decoding: utf8[$0], as: UTF8.self) } }
    return line ?? generalTitle
  }

  /// The title of any text, found by characters.
  var generalTitle: String {
    let line = text.drop(while: \.isWhitespace).prefix { !$0.isNewline }
    return line.lastIndex { !$0.isWhitespace }.map { String(line[...$0]) } ?? ""
  }

  /// Where the title stands in UTF-8; nil if it takes characters to tell. Taking texts apart into characters costs thirty
  /// times as much, and lists show many titles.
  private static func plainTitle(in utf8: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
    var start = 0
    while start < utf8.count, isWhitespace(utf8[start]) { start += 1 }
    var end = start
    while end < utf8.count, !isNewline(utf8[end]) {
      // U+0085, U+2028 and U+2029 end a line too.
      if utf8[end] == 0xC2 && utf8[end + 1] == 0x85 { return nil }
      if utf8[end] == 0xE2 && utf8[end + 1] == 0x80 && utf8[end + 2] & 0xFE == 0xA8 { return nil }
      end += 1
    }
    while end > start, isWhitespace(utf8[end - 1]) { end -= 1 }
    guard start < end else { return end < utf8.count && utf8[end] >= 0x80 ? nil : start..<end }
    if utf8[start] >= 0x80, !standsAlone(utf8, start) { return nil }
    var last = end - 1
    while last > start, utf8[last - 1] >= 0x80 { last -= 1 }
    if utf8[last] >= 0x80, !isPlainRun(utf8, last..<end) { return nil }
    return start..<end
  }

  /// Whether the character at an index is neither white space nor a part of the one before it: Latin letters, and pictures
  /// but for the colours of skin.
  private static func standsAlone(_ utf8: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
    switch utf8[index] {
    case 0xC3...0xCB: true
    case 0xF0: utf8[index + 1] == 0x9F && !(utf8[index + 2] == 0x8F && utf8[index + 3] >= 0xBB)
    default: false
    }
  }

  /// Whether every character of a run beyond ASCII stands alone, so that none of them is white space or belongs to white
  /// space before the run.
  private static func isPlainRun(_ utf8: UnsafeBufferPointer<UInt8>, _ run: Range<Int>) -> Bool {
    run.allSatisfy { utf8[$0] & 0xC0 == 0x80 || standsAlone(utf8, $0) }
  }

  /// Tab, line feed, line tabulation, form feed, carriage return.
  private static func isNewline(_ byte: UInt8) -> Bool { byte >= 0x0A && byte <= 0x0D }
  private static func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || byte >= 0x09 && byte <= 0x0D }

  /// The first 500 characters.
  var truncated: String {
    // No character is less than a byte.
    text.utf8.count <= 500 ? text : String(text.prefix(500))
  }

  /// The web addresses, each once, in order; see ``Note/links``.
  var links: [String] {
    let separators: Set<Character> = ["<", ">", "(", ")", "[", "]", "{", "}", "\"", "“", "”", "`"]
    return text.split { $0.isWhitespace || separators.contains($0) }.compactMap { word in
      var link = word
      while let last = link.last, ".,;:!?'’*_".contains(last) { link.removeLast() }
      let lowercased = link.lowercased()
      let isLink = ["http://", "https://", "www."].contains { lowercased.hasPrefix($0) && lowercased != $0 }
      return isLink ? String(link) : nil
    }.uniqued()
  }
}
