import SnapshotStore

/// Values derived from the text of a note.
struct NoteText {
  private var text: String

  init(_ text: String) {
    self.text = text
    self.text.makeContiguousUTF8()
  }

  /// The first line that is not blank, trimmed of white space; empty if there is none. Front matter is skipped.
  var title: String { String(text[titleRange]) }

  private var titleRange: Range<String.Index> {
    let body = FrontMatter(text)?.body ?? text[...]
    let plain = body.utf8.withContiguousStorageIfAvailable { Self.plainTitle(in: $0) } ?? nil
    guard let plain else { return Self.generalTitleRange(in: body) }
    let start = body.utf8.index(body.startIndex, offsetBy: plain.lowerBound)
    return start..<body.utf8.index(start, offsetBy: plain.count)
  }

  /// The title of any text, found character by character.
  var generalTitle: String { String(text[Self.generalTitleRange(in: text[...])]) }

  private static func generalTitleRange(in text: Substring) -> Range<String.Index> {
    let line = text.drop(while: \.isWhitespace).prefix { !$0.isNewline }
    return line.startIndex..<line.endOfWords
  }

  /// The place of the title in UTF-8; nil if only characters can tell. Splitting texts into characters costs thirty
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

  /// Whether the character at an index is neither white space nor a part of the character before it. False proves
  /// nothing. True of the letters of most languages, of common punctuation, and of pictographs without skin tones.
  private static func standsAlone(_ utf8: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
    switch utf8[index] {
    // Latin, Greek and Cyrillic: U+00C0…U+02FF and U+0380…U+047F.
    case 0xC3...0xCB, 0xCE...0xD1: true
    // Dashes, quotation marks and the ellipsis: U+2010…U+2027.
    case 0xE2: utf8[index + 1] == 0x80 && utf8[index + 2] >= 0x90 && utf8[index + 2] <= 0xA7
    // Kana: U+3040…U+30FF without the sound marks U+3099 and U+309A, which combine.
    case 0xE3:
      utf8[index + 1] >= 0x81 && utf8[index + 1] <= 0x83
        && !(utf8[index + 1] == 0x82 && utf8[index + 2] >= 0x99 && utf8[index + 2] <= 0x9A)
    // Chinese characters: U+4000…U+9FFF.
    case 0xE4...0xE9: true
    case 0xF0: utf8[index + 1] == 0x9F && !(utf8[index + 2] == 0x8F && utf8[index + 3] >= 0xBB)
    default: false
    }
  }

  /// Whether every character of a run beyond ASCII stands alone. Then none of them is white space, and none combines
  /// with white space before the run.
  private static func isPlainRun(_ utf8: UnsafeBufferPointer<UInt8>, _ run: Range<Int>) -> Bool {
    run.allSatisfy { utf8[$0] & 0xC0 == 0x80 || standsAlone(utf8, $0) }
  }

  /// Tab, line feed, line tabulation, form feed, carriage return.
  private static func isNewline(_ byte: UInt8) -> Bool { byte >= 0x0A && byte <= 0x0D }
  private static func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || byte >= 0x09 && byte <= 0x0D }

  /// The first 500 characters.
  var truncated: String { String(text[..<truncatedEnd]) }

  /// The part of the first 500 characters after the title, trimmed of white space.
  var remaining: String {
    let (start, end) = (titleRange.upperBound, truncatedEnd)
    guard start < end else { return "" }
    let rest = text[start..<end].drop(while: \.isWhitespace)
    return String(rest[..<rest.endOfWords])
  }

  private var truncatedEnd: String.Index {
    // A character has at least one byte.
    if text.utf8.count <= 500 { return text.endIndex }
    return text.index(text.startIndex, offsetBy: 500, limitedBy: text.endIndex) ?? text.endIndex
  }
}

extension Substring {
  /// The end of the text without its trailing white space.
  fileprivate var endOfWords: Index {
    lastIndex { !$0.isWhitespace }.map { index(after: $0) } ?? startIndex
  }
}
