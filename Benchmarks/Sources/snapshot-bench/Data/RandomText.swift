extension SplitMix64 {
  /// Ordinary words on several lines, with about as many bytes as a random number of a range.
  ///
  /// Every fourth text has letters beyond ASCII, and every fourth has characters that must be escaped.
  mutating func text(bytes: ClosedRange<Int>) -> String {
    let isForeign = chance(25)
    let hasEscapes = chance(25)
    let length = Int.random(in: bytes, using: &self)
    var text = ""
    var wordsInLine = 0
    while text.utf8.count < length {
      if isForeign && chance(15) {
        text += pick(Words.foreign)
      } else if isForeign && chance(3) {
        text += pick(Words.emoji)
      } else if hasEscapes && chance(8) {
        text += pick(Words.escaped)
      } else {
        text += pick(Words.plain)
      }
      wordsInLine += 1
      if wordsInLine > 5 && chance(10) {
        text += chance(40) ? "\n\n" : "\n"
        wordsInLine = 0
      } else {
        text += " "
      }
    }
    return text
  }
}
