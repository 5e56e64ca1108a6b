extension Note {
  /// The first line that is not blank, without the white space around it; empty if there is none.
  public var title: String {
    for line in text.split(whereSeparator: \.isNewline) {
      let words = line.drop(while: \.isWhitespace)
      if let last = words.lastIndex(where: { !$0.isWhitespace }) { return String(words[...last]) }
    }
    return ""
  }

  /// The first 500 characters of the text, enough for any list.
  public var truncatedText: String { String(text.prefix(500)) }

  /// The web addresses in the text, each once, in order: what begins with `http://`, `https://` or `www.` at the start of
  /// a word, up to white space or a bracket, without the punctuation that ends a sentence.
  public var links: [String] {
    let separators: Set<Character> = ["<", ">", "(", ")", "[", "]", "{", "}", "\"", "“", "”", "`"]
    let words = text.split { $0.isWhitespace || separators.contains($0) }
    return words.compactMap { word in
      let start = word.lowercased()
      guard ["http://", "https://", "www."].contains(where: { start.hasPrefix($0) && start.count > $0.count }) else {
        return nil
      }
      var link = word
      while let last = link.last, ".,;:!?'’*_".contains(last) { link.removeLast() }
      return String(link)
    }.uniqued()
  }
}
