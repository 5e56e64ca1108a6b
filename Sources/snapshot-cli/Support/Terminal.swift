import Foundation

/// Standard output or standard error.
struct Terminal {
  static let output = Terminal(handle: .standardOutput)
  static let error = Terminal(handle: .standardError)

  private let handle: FileHandle
  /// Whether a person is likely to look at it.
  let isTerminal: Bool
  /// Whether colours and rewritten lines are wanted.
  let isStyled: Bool

  private init(handle: FileHandle) {
    let environment = ProcessInfo.processInfo.environment
    self.handle = handle
    isTerminal = isatty(handle.fileDescriptor) == 1
    isStyled = isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
  }

  /// Prints text. An error (a full disk, a closed pipe) is thrown, because what is printed is the result.
  func print(_ text: String) throws { try write(Array(text.utf8)) }

  func write(_ bytes: [UInt8]) throws {
    do {
      try handle.write(contentsOf: Data(bytes))
    } catch {
      throw Failure("writing to standard output failed: \(String(cString: strerror(errno)))", .ioError)
    }
  }

  /// Prints a line of a message. If that fails there is nobody to tell.
  func printLine(_ line: String) { try? handle.write(contentsOf: Data((line + "\n").utf8)) }

  func dim(_ text: String) -> String { isStyled ? "\u{1B}[2m\(text)\u{1B}[0m" : text }
  func bold(_ text: String) -> String { isStyled ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
  func red(_ text: String) -> String { isStyled ? "\u{1B}[31m\(text)\u{1B}[0m" : text }
  func green(_ text: String) -> String { isStyled ? "\u{1B}[32m\(text)\u{1B}[0m" : text }

  /// Text of the user's, as it is in a file or a pipe, and made harmless on a terminal.
  func safe(_ text: String) -> String { isTerminal ? text.forTerminalLines : text }
}

extension String {
  /// The text in one line, with everything that a terminal could act on, or that could disguise its neighbours, shown as
  /// `\u{…}`.
  var forTerminal: String { escaped { _ in false } }

  /// The same, but for line feeds and tabs.
  var forTerminalLines: String { escaped { $0 == "\n" || $0 == "\t" } }

  private func escaped(except isAllowed: (Unicode.Scalar) -> Bool) -> String {
    var result = ""
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      // What has no meaning, or a private one, may have one for a terminal.
      case .control, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: break
      // The joiners of emoji and scripts are harmless; the marks that turn the direction of text are not.
      case .format where scalar != "\u{200D}" && scalar != "\u{200C}": break
      default:
        result.unicodeScalars.append(scalar)
        continue
      }
      if isAllowed(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      }
    }
    return result
  }
}
