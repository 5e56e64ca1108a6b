/// Text in lines of a width.
enum TextLayout {
  /// The width of a help text: that of the terminal, and at most 80.
  static var helpWidth: Int {
    // A text that wraps within a few columns is not readable either.
    let columns = Terminal.output.isTerminal ? Terminal.output.columns ?? 80 : 80
    return min(max(columns, 30), 80)
  }

  /// Fills lines with pieces that are not broken. O(length).
  ///
  /// - Parameters:
  ///   - first: the beginning of the first line.
  ///   - indent: the spaces before each further line.
  static func filled(_ pieces: [String], first: String = "", indent: Int, width: Int) -> String {
    var lines: [String] = []
    var line = first
    var isEmpty = true
    for piece in pieces {
      if !isEmpty, line.displayWidth + 1 + piece.displayWidth > width {
        lines.append(line)
        line = String(repeating: " ", count: indent)
        isEmpty = true
      }
      line += (isEmpty ? "" : " ") + piece
      isEmpty = false
    }
    return (lines + [line]).joined(separator: "\n")
  }

  /// Fills lines with the words of a text.
  static func filled(_ text: String, first: String = "", indent: Int = 0, width: Int) -> String {
    filled(words(of: text), first: first, indent: indent, width: width)
  }

  /// A term, and a text beside it in a column. The text begins below a term that is too wide.
  static func entry(_ term: String, _ text: String, column: Int, width: Int) -> String {
    let indent = String(repeating: " ", count: column)
    let isBeside = term.displayWidth + 2 <= column
    if words(of: text).isEmpty { return term }
    let first = isBeside ? term + String(repeating: " ", count: column - term.displayWidth) : indent
    return (isBeside ? "" : term + "\n") + filled(text, first: first, indent: column, width: width)
  }

  /// The words; a space that does not break is a part of a word.
  private static func words(of text: String) -> [String] {
    text.split { $0 == " " || $0 == "\n" }.map(String.init)
  }
}

/// The free text of a help: paragraphs, and blocks whose lines stay as they are.
enum HelpBlock: Equatable {
  case paragraph(String)
  case lines([String])

  /// The blocks of a text. An empty line ends a block, and lines that begin with a space are kept.
  static func of(_ text: String) -> [HelpBlock] {
    var blocks: [HelpBlock] = []
    var isNew = true
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.isEmpty {
        isNew = true
        continue
      }
      let isKept = line.hasPrefix(" ")
      switch (blocks.last, isNew) {
      case (.paragraph(let words), false) where !isKept: blocks[blocks.count - 1] = .paragraph(words + " " + line)
      case (.lines(let lines), false) where isKept: blocks[blocks.count - 1] = .lines(lines + [line])
      default: blocks.append(isKept ? .lines([line]) : .paragraph(line))
      }
      isNew = false
    }
    return blocks
  }
}
