extension Note {
  /// The first line that is not blank, without the white space around it; empty if there is none.
  public var title: String {
    let line = text.drop(while: \.isWhitespace).prefix { !$0.isNewline }
    return line.lastIndex { !$0.isWhitespace }.map { String(line[...$0]) } ?? ""
  }

  /// The first 500 characters of the text, enough for any list.
  public var truncatedText: String { String(text.prefix(500)) }

  /// The web addresses in the text, each once, in order: what begins with `http://`, `https://` or `www.` at the start of
  /// a word, up to white space or a bracket, without the punctuation that ends a sentence.
  public var links: [String] {
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
