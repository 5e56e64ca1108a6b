/// A text for a terminal, parts of which have a style. No character of the text itself is a style.
///
/// ```swift
/// let output = Terminal.output
/// try output.print(output.bold("Walks") + "  3 posts\n")
/// ```
public struct StyledText: Sendable {
  enum Style: Sendable {
    case bold
    case dim
    case red
    case green

    var sequence: String {
      switch self {
      case .bold: "\u{1B}[1m"
      case .dim: "\u{1B}[2m"
      case .red: "\u{1B}[31m"
      case .green: "\u{1B}[32m"
      }
    }
  }

  private static let plain = "\u{1B}[0m"

  private var parts: [(text: String, style: Style?)]

  /// A text without a style.
  public init(_ text: String) { parts = [(text, nil)] }

  init(_ text: String, _ style: Style?) { parts = [(text, style)] }

  /// The characters to print.
  ///
  /// - Parameter escaped: whether characters that control a terminal are escaped.
  func text(escaped: Bool) -> String {
    parts.reduce(into: "") { text, part in
      let own = escaped ? part.text.forTerminalLines : part.text
      text += part.style.map { $0.sequence + own + Self.plain } ?? own
    }
  }

  /// One text behind another.
  public static func + (a: StyledText, b: StyledText) -> StyledText {
    var text = a
    text += b
    return text
  }

  /// Adds a text behind this one. O(1), amortised, for each part.
  public static func += (a: inout StyledText, b: StyledText) { a.parts += b.parts }

  /// One text behind another.
  public static func + (a: StyledText, b: String) -> StyledText { a + StyledText(b) }

  /// One text behind another.
  public static func + (a: String, b: StyledText) -> StyledText { StyledText(a) + b }
}
