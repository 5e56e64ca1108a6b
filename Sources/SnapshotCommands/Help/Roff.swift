/// Text in the language of manual pages, man(7). It is ASCII, so that every formatter reads it.
struct Roff {
  private(set) var text = ""

  /// Adds a request with arguments, such as `.SH NAME`. Arguments with spaces are quoted.
  mutating func request(_ name: String, _ arguments: String...) {
    let words = arguments.map { $0.contains(" ") || $0.isEmpty ? "\"\($0)\"" : $0 }
    text += ([".\(name)"] + words).joined(separator: " ") + "\n"
  }

  /// Adds a line that is already in the language.
  mutating func line(_ line: String) {
    // A line that begins with a full stop or an apostrophe would be a request.
    text += (line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" : "") + line + "\n"
  }

  /// Adds the words of a text, in lines of a moderate length.
  mutating func words(_ words: String) {
    for part in TextLayout.filled(words, width: 72).split(separator: "\n") { line(Self.escaped(part)) }
  }

  /// Adds paragraphs, and blocks whose lines stay as they are.
  mutating func blocks(_ text: String) {
    for block in HelpBlock.of(text) {
      switch block {
      case .paragraph(let words):
        request("PP")
        self.words(words)
      case .lines(let lines):
        request("PP")
        request("EX")
        for line in lines { self.line(Self.escaped(line)) }
        request("EE")
      }
    }
  }

  static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fP" }
  static func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fP" }

  /// The text without any meaning to a formatter. Signs that are typed stay those signs.
  static func escaped(_ text: some StringProtocol) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case "\"": result += "\\(dq"
      case "“": result += "\\(lq"
      case "”": result += "\\(rq"
      case "…": result += "..."
      case " "..."~": result.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result += "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
      }
    }
  }
}
