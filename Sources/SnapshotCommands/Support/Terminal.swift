import Foundation

/// Standard output, standard error, or a pipe.
///
/// ```swift
/// try Terminal.output.print("A walk\n")        // the result: an error is thrown
/// Terminal.error.printLine("read 1 post")     // a message
/// ```
///
/// All text for a terminal goes through here, and control characters are escaped. That includes characters in names or
/// texts from other programs. Messages are escaped everywhere. Results written to a file or a pipe are data and stay as
/// they are.
public struct Terminal: Sendable {
  /// Standard output, for results.
  public static let output = Terminal(handle: .standardOutput)
  /// Standard error, for messages.
  public static let error = Terminal(handle: .standardError)

  private let handle: FileHandle
  private let name: String
  /// Whether a person is likely to read the output.
  public let isTerminal: Bool
  /// Whether colours and rewritten lines may be used.
  public let isStyled: Bool

  private init(handle: FileHandle, name: String = "standard output") {
    let environment = ProcessInfo.processInfo.environment
    self.handle = handle
    self.name = name
    isTerminal = isatty(handle.fileDescriptor) == 1
    isStyled = isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
  }

  /// Standard output, or the pipe or device at a path.
  ///
  /// - Throws: ``CommandFailure`` if it cannot be opened.
  public init(_ path: String) throws {
    if FileName.isStandard(path) {
      self = .output
      return
    }
    do {
      self.init(handle: try FileHandle(forWritingTo: FileName.url(path)), name: path)
    } catch {
      throw CommandFailure("\(path.forTerminal): it cannot be opened", .cannotCreate)
    }
  }

  /// Whether a person is likely to type the input.
  public static var isInputTerminal: Bool { isatty(FileHandle.standardInput.fileDescriptor) == 1 }

  /// Prints text. An error (a full disk, a closed pipe) is thrown, because the text is the result of the command.
  public func print(_ text: String) throws { try write(Array((isTerminal ? text.forTerminalLines : text).utf8)) }

  /// Prints a text of which parts have styles.
  public func print(_ text: StyledText) throws { try write(Array(text.text(escaped: isTerminal).utf8)) }

  /// Prints the bytes of a text. Only a terminal gets them escaped.
  public func printText(_ bytes: [UInt8]) throws {
    if isTerminal { try print(String(decoding: bytes, as: UTF8.self)) } else { try write(bytes) }
  }

  /// The current width of the terminal in characters; nil if unknown.
  public var columns: Int? {
    var size = winsize()
    guard ioctl(handle.fileDescriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Replaces the line of the cursor with text, if the terminal can do so.
  public func rewriteLine(_ text: String) throws {
    try write(Array(((isStyled ? "\r\u{1B}[K" : "") + (isTerminal ? text.forTerminalLines : text)).utf8))
  }

  /// Writes bytes as they are.
  ///
  /// - Throws: ``CommandFailure`` if they cannot be written.
  public func write(_ bytes: [UInt8]) throws {
    do {
      try handle.write(contentsOf: Data(bytes))
    } catch {
      throw CommandFailure("writing to \(name.forTerminal) failed: \(String(cString: strerror(errno)))", .ioError)
    }
  }

  /// Prints a line of a message. An error is ignored, because no other channel exists.
  public func printLine(_ line: String) { try? handle.write(contentsOf: Data((line.forTerminalLines + "\n").utf8)) }

  /// The text in a style, if the terminal has styles.
  public func dim(_ text: String) -> StyledText { styled(text, .dim) }
  /// The text in a style, if the terminal has styles.
  public func bold(_ text: String) -> StyledText { styled(text, .bold) }
  /// The text in a style, if the terminal has styles.
  public func red(_ text: String) -> StyledText { styled(text, .red) }
  /// The text in a style, if the terminal has styles.
  public func green(_ text: String) -> StyledText { styled(text, .green) }

  private func styled(_ text: String, _ style: StyledText.Style) -> StyledText {
    StyledText(text, isStyled ? style : nil)
  }
}

extension String {
  /// The text with spaces behind it, up to a number of columns.
  public func padding(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - displayWidth))
  }

  /// The text in one line. Characters that control a terminal or disguise their neighbours are shown as `\u{…}`.
  public var forTerminal: String { escaped { _ in nil } }

  /// The same, but with line feeds and tabs.
  public var forTerminalLines: String { escaped { $0 == "\n" || $0 == "\t" ? String($0) : nil } }

  /// - Parameter replacement: the replacement for a character that would be escaped; nil to escape it.
  private func escaped(_ replacement: (Unicode.Scalar) -> String?) -> String {
    var result = ""
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      // A terminal may give a meaning to characters without a standard one.
      case .control, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: break
      // The joiners of emoji and scripts are harmless. The marks that change the direction of text are not.
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
