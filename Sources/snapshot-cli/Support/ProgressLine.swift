/// A line that is rewritten on a terminal, and printed now and then elsewhere.
final class ProgressLine {
  private let terminal: Terminal
  private var shown = 0
  private var last = ""

  init(on terminal: Terminal = .output) { self.terminal = terminal }

  func show(_ line: String) throws {
    shown += 1
    if terminal.isStyled {
      // A line that goes on in the next one cannot be rewritten, and neither can one that ends in the last column.
      try terminal.rewriteLine(terminal.columns.map { String(line.fitting(columns: $0 - 1)) } ?? line)
    } else if shown % 10 == 0, line != last {
      try terminal.print(line + "\n")
      last = line
    }
  }

  func finish(_ line: String) throws {
    try terminal.rewriteLine(line + "\n")
  }

  /// Leaves nothing of the line on a terminal.
  func clear() throws {
    if terminal.isStyled, shown > 0 { try terminal.rewriteLine("") }
    shown = 0
  }
}
