/// A line that is rewritten on a terminal, and printed now and then elsewhere.
final class ProgressLine {
  private var shown = 0
  private var last = ""

  func show(_ line: String) throws {
    shown += 1
    if Terminal.output.isStyled {
      try Terminal.output.print("\r\u{1B}[K" + line)
    } else if shown % 10 == 0, line != last {
      try Terminal.output.print(line + "\n")
      last = line
    }
  }

  func finish(_ line: String) throws {
    try Terminal.output.print((Terminal.output.isStyled ? "\r\u{1B}[K" : "") + line + "\n")
  }
}
