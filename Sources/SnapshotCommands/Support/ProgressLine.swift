/// A line that is rewritten on a terminal, and printed from time to time elsewhere.
///
/// ```swift
/// let line = ProgressLine()
/// for seconds in 1...3 { try line.show("recording, \(seconds) s") }
/// try line.finish("recorded")
/// ```
public final class ProgressLine {
  private let terminal: Terminal
  private var shown = 0
  private var last = ""

  /// A line that has no text yet.
  public init(on terminal: Terminal = .output) { self.terminal = terminal }

  /// Shows a text in place of the last one.
  public func show(_ line: String) throws {
    shown += 1
    if terminal.isStyled {
      // A line that wraps, or ends in the last column, cannot be rewritten.
      try terminal.rewriteLine(terminal.columns.map { String(line.prefix(columns: $0 - 1)) } ?? line)
    } else if shown % 10 == 0, line != last {
      try terminal.print(line + "\n")
      last = line
    }
  }

  /// Shows the last text, and ends the line.
  public func finish(_ line: String) throws {
    try terminal.rewriteLine(line + "\n")
  }

  /// Removes the line from a terminal.
  public func clear() throws {
    if terminal.isStyled, shown > 0 { try terminal.rewriteLine("") }
    shown = 0
  }
}
