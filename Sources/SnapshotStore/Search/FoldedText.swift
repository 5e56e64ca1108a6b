/// A text as a search sees it: without case, accents and invisible characters. See ``SearchQuery``.
///
/// `FoldedText("Café").text` is `cafe`. Names are sorted and completed by it. A text of nothing but accents is kept as
/// it is.
package struct FoldedText: Hashable, Sendable {
  /// The folded text.
  package let text: String

  /// Folds a text. O(length of the text).
  package init(_ text: String) {
    let folded = SearchFolding.folded(text)
    self.text = folded.isEmpty ? text : String(decoding: folded, as: UTF8.self)
  }

  /// A part to find in many folded texts.
  package struct Part: Sendable {
    private let word: SearchWord?

    /// Prepares the search for a part.
    package init(_ part: FoldedText) {
      let bytes = Array(part.text.utf8)
      word = bytes.isEmpty ? nil : SearchWord(bytes)
    }

    /// The offset in UTF-8 of the first occurrence of the part; nil if there is none. An empty part occurs at 0.
    /// O(length of the text).
    package func firstOffset(in folded: FoldedText) -> Int? {
      guard let word else { return 0 }
      var text = folded.text
      return text.withUTF8 { word.firstOffset(in: $0) }
    }
  }
}
