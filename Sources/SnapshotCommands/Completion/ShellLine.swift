/// A command line of bash up to the cursor: its words, and what of it a completion replaces.
///
/// Bash passes the text as it was typed. Readline replaces the end of it: what follows the last unquoted character of
/// `COMP_WORDBREAKS`, or an open quote.
struct ShellLine {
  /// The words before the last one, without quotes.
  private(set) var words: [String] = []
  /// The last word without quotes. It may be empty.
  private(set) var current = ""
  /// The part of `current` that stays in the line.
  private(set) var kept = ""
  /// The text that is replaced, as it was typed.
  private(set) var replaced = ""
  /// The quote that is open at the end.
  private(set) var quote: Unicode.Scalar?
  /// Whether the last word is the file of a redirection.
  private(set) var isRedirection = false

  private let environment: [String: String]

  /// - Parameters:
  ///   - breaks: the value of `COMP_WORDBREAKS`.
  ///   - environment: the variables that the line may use.
  init(_ line: String, breaks: String, environment: [String: String]) {
    self.environment = environment
    let text = Array(line.unicodeScalars)
    let breaks = Set(breaks.unicodeScalars)
    var word = Word(0)
    var index = 0
    while index < text.count {
      let scalar = text[index]
      switch scalar {
      case " ", "\t", "\n":
        end(word)
        word = Word(index + 1)
      case "<", ">", "|", "&", ";", "(", ")":
        // A number before a redirection is that of a file.
        if word.value.unicodeScalars.allSatisfy({ ("0"..."9").contains($0) }) { word = Word(index) }
        end(word)
        if scalar == "<" || scalar == ">" { isRedirection = true } else { words = [] }
        word = Word(index + 1)
      case "\"", "'":
        index = readQuoted(text, index, scalar, &word)
        if quote != nil { finish(word, text) }
      case "\\":
        word.isEmpty = false
        index += 1
        if index < text.count { word.append(text[index]) }
      case "$": index = readVariable(text, index, &word)
      default:
        word.append(scalar)
        if breaks.contains(scalar) { word.breakAfter(index) }
      }
      index += 1
    }
    if quote == nil { finish(word, text) }
  }

  /// A word that is read.
  private struct Word {
    var value = ""
    var isEmpty = true
    /// Where the replaced text begins, in the line and, as bytes, in the value.
    var start: Int
    var keptCount = 0

    init(_ start: Int) { self.start = start }

    mutating func append(_ scalar: Unicode.Scalar) {
      value.unicodeScalars.append(scalar)
      isEmpty = false
    }

    mutating func breakAfter(_ index: Int) {
      start = index + 1
      keptCount = value.utf8.count
    }
  }

  private mutating func end(_ word: Word) {
    if word.isEmpty { return }
    if !isRedirection { words.append(word.value) }
    isRedirection = false
  }

  private mutating func finish(_ word: Word, _ text: [Unicode.Scalar]) {
    current = word.value
    kept = String(decoding: word.value.utf8.prefix(word.keptCount), as: UTF8.self)
    replaced = text[min(word.start, text.count)...].reduce(into: "") { $0.unicodeScalars.append($1) }
  }

  /// Reads from an opening quote to the closing one.
  ///
  /// - Returns: the place of the closing quote. If there is none, `quote` is set.
  private mutating func readQuoted(
    _ text: [Unicode.Scalar], _ opening: Int, _ mark: Unicode.Scalar, _ word: inout Word
  ) -> Int {
    let before = (word.start, word.keptCount)
    word.isEmpty = false
    word.breakAfter(opening)
    var index = opening + 1
    while index < text.count {
      if text[index] == mark {
        (word.start, word.keptCount) = before
        return index
      }
      if mark == "\"", text[index] == "$" {
        index = readVariable(text, index, &word) + 1
        continue
      }
      if mark == "\"", text[index] == "\\", index + 1 < text.count, "\"\\$`".unicodeScalars.contains(text[index + 1]) {
        index += 1
      }
      word.append(text[index])
      index += 1
    }
    quote = mark
    return index
  }

  /// Reads `$NAME` or `${NAME}`. Anything else stays as it is.
  ///
  /// - Returns: the place of its last character.
  private func readVariable(_ text: [Unicode.Scalar], _ dollar: Int, _ word: inout Word) -> Int {
    let isBraced = dollar + 1 < text.count && text[dollar + 1] == "{"
    let start = dollar + (isBraced ? 2 : 1)
    var end = start
    while end < text.count,
      text[end] == "_" || text[end].isASCII && text[end].properties.isAlphabetic
        || ("0"..."9").contains(text[end])
    {
      end += 1
    }
    let name = text[min(start, text.count)..<end].reduce(into: "") { $0.unicodeScalars.append($1) }
    let isClosed = !isBraced || end < text.count && text[end] == "}"
    guard !name.isEmpty, isClosed, let value = environment[name] else {
      word.append("$")
      return dollar
    }
    for scalar in value.unicodeScalars { word.append(scalar) }
    return isBraced ? end : end - 1
  }

  /// A text as it stands in the line after the cursor's quote.
  func quoted(_ text: some StringProtocol) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch quote {
      case "'": result += scalar == "'" ? "'\\''" : String(scalar)
      case "\"": result += ("\"\\$`".unicodeScalars.contains(scalar) ? "\\" : "") + String(scalar)
      default: result += (Self.isPlain(scalar) ? "" : "\\") + String(scalar)
      }
    }
    return result
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.isASCII || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
      || "_-./,:@%+=".unicodeScalars.contains(scalar)
  }
}
