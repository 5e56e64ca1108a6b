import Foundation

extension Note {
  /// The first line that is not blank, without the white space around it; empty if there is none. Front matter, the block
  /// between lines `---` at the beginning of a Markdown note, is passed over.
  public var title: String { NoteText(text).title }

  /// The first 500 characters of the text, enough for any list.
  public var truncatedText: String { NoteText(text).truncated }

  /// The web addresses in the text, each once, in order: what begins with `http://`, `https://` or `www.` at the start of
  /// a word, up to white space or a bracket, without the punctuation that ends a sentence.
  public var links: [String] { NoteText(text).links }
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
