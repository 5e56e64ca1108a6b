import Foundation

extension Note {
  /// The first line that is not blank, without the white space around it; empty if there is none.
  public var title: String { NoteText(text).title }

  /// The first 500 characters of the text, enough for any list.
  public var truncatedText: String { NoteText(text).truncated }

  /// The web addresses in the text, each once, in order: what begins with `http://`, `https://` or `www.` at the start of
  /// a word, up to white space or a bracket, without the punctuation that ends a sentence.
  public var links: [String] { NoteText(text).links }
}

/// What is derived from the text of a note.
struct NoteText {
  private let text: String

  init(_ text: String) { self.text = text }

  var title: String {
    let line = text.drop(while: \.isWhitespace).prefix { !$0.isNewline }
    return line.lastIndex { !$0.isWhitespace }.map { String(line[...$0]) } ?? ""
  }

  var truncated: String { String(text.prefix(500)) }

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

extension String {
  /// Whether both are the same bytes. `==` holds texts in different normalisations to be equal.
  func hasSameBytes(as other: String) -> Bool {
    utf8.count == other.utf8.count && utf8.elementsEqualQuickly(other.utf8)
  }
}

extension String.UTF8View {
  fileprivate func elementsEqualQuickly(_ other: String.UTF8View) -> Bool {
    let isEqual = withContiguousStorageIfAvailable { a in
      other.withContiguousStorageIfAvailable { b in
        guard let start = a.baseAddress, let otherStart = b.baseAddress else { return a.count == b.count }
        return a.count == b.count && memcmp(start, otherStart, a.count) == 0
      }
    }
    return (isEqual ?? nil) ?? elementsEqual(other)
  }
}
