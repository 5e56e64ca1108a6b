import Foundation

/// Standard output or standard error.
///
/// All text reaches a terminal through here, and nothing in it that a terminal could act on does: not even what a name or a text from
/// outside brings along and nobody thought of. Messages are made harmless wherever they go. What is printed into a file or a pipe is data,
/// and stays as it is.
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
  func print(_ text: String) throws { try write(Array((isTerminal ? text.withStyles : text).utf8)) }

  /// How wide the terminal is now, in characters; nil if it does not say.
  var columns: Int? {
    var size = winsize()
    guard ioctl(handle.fileDescriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Prints text in place of the line that the cursor is in, where that can be.
  func rewriteLine(_ text: String) throws {
    try write(Array(((isStyled ? "\r\u{1B}[K" : "") + (isTerminal ? text.withStyles : text)).utf8))
  }

  func write(_ bytes: [UInt8]) throws {
    do {
      try handle.write(contentsOf: Data(bytes))
    } catch {
      throw Failure("writing to standard output failed: \(String(cString: strerror(errno)))", .ioError)
    }
  }

  /// Prints a line of a message. If that fails there is nobody to tell.
  func printLine(_ line: String) { try? handle.write(contentsOf: Data((line.forTerminalLines + "\n").utf8)) }

  func dim(_ text: String) -> String { styled(text, .dim) }
  func bold(_ text: String) -> String { styled(text, .bold) }
  func red(_ text: String) -> String { styled(text, .red) }
  func green(_ text: String) -> String { styled(text, .green) }

  private func styled(_ text: String, _ style: Style) -> String {
    isStyled ? style.mark + text + Style.plain.mark : text
  }
}

/// How text looks. On its way to a terminal it is marked by characters that are none, which are escaped in all other text.
private enum Style: UInt32, CaseIterable {
  case plain = 0xFDD0
  case bold
  case dim
  case red
  case green

  var mark: String { Unicode.Scalar(rawValue).map { String($0) } ?? "" }

  var sequence: String {
    switch self {
    case .plain: "\u{1B}[0m"
    case .bold: "\u{1B}[1m"
    case .dim: "\u{1B}[2m"
    case .red: "\u{1B}[31m"
    case .green: "\u{1B}[32m"
    }
  }
}

extension String {
  /// The beginning of the text that fits into a number of columns. Every character that may be wide counts as two.
  func fitting(columns: Int) -> Substring {
    var left = columns
    return prefix { character in
      left -= character.unicodeScalars.allSatisfy { $0.value < 0x1100 } ? 1 : 2
      return left >= 0
    }
  }

  /// The text in one line, with everything that a terminal could act on, or that could disguise its neighbours, shown as
  /// `\u{…}`.
  var forTerminal: String { escaped { _ in nil } }

  /// The same, but for line feeds and tabs.
  var forTerminalLines: String { escaped { $0 == "\n" || $0 == "\t" ? String($0) : nil } }

  /// The same, with the styles that it is marked with.
  fileprivate var withStyles: String {
    escaped { $0 == "\n" || $0 == "\t" ? String($0) : Style(rawValue: $0.value)?.sequence }
  }

  /// - Parameter replacement: what stands for a character that would be escaped; nil to escape it.
  private func escaped(_ replacement: (Unicode.Scalar) -> String?) -> String {
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
      result += replacement(scalar) ?? "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }
    return result
  }
}
