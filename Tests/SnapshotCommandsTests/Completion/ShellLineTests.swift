import Testing

@testable import SnapshotCommands

/// Command lines of bash, as they are typed.
@Suite struct ShellLineTests {
  private func line(_ text: String) -> ShellLine {
    ShellLine(text, breaks: " \t\n\"'@><=;|&(:", environment: ["HOME": "/home/a b"])
  }

  @Test(arguments: [
    ("tool a b", ["tool", "a"], "b", "b"), ("tool a ", ["tool", "a"], "", ""), ("", [], "", ""),
    (#"tool a\ b c\"#, ["tool", "a b"], "c", #"c\"#),
    (#"tool 'a b' "c \"d\"" e"#, ["tool", "a b", "c \"d\""], "e", "e"),
    ("tool '' x", ["tool", ""], "x", "x"), ("tool $HOME/x y", ["tool", "/home/a b/x"], "y", "y"),
    ("tool ${HOME}/x", ["tool"], "/home/a b/x", "${HOME}/x"), ("tool $NONE $", ["tool", "$NONE"], "$", "$"),
    ("tool --a=b", ["tool"], "--a=b", "b"), ("tool a:b:", ["tool"], "a:b:", ""), ("x | tool a", ["tool"], "a", "a"),
    ("tool \"a b", ["tool"], "a b", "a b"), ("tool x\"a b", ["tool"], "xa b", "a b"),
    ("tool 'a'b", ["tool"], "ab", "'a'b"),
    ("tool 2>x a", ["tool"], "a", "a"), ("tool a <in b", ["tool", "a"], "b", "b"),
    ("tool ${HOME", ["tool"], "${HOME", "${HOME"),
    ("tool \"$HOME/x\" é", ["tool", "/home/a b/x"], "é", "é"), ("tool \\", ["tool"], "", "\\"),
  ])
  func wordsAreRead(text: String, words: [String], current: String, replaced: String) {
    let line = line(text)
    #expect(line.words == words && line.current == current && line.replaced == replaced, "\(line)")
    #expect(!line.isRedirection)
  }

  @Test func aRedirectionHasAFile() {
    for text in ["tool a <", "tool a < ", "tool a >x", "tool 2>x"] { #expect(line(text).isRedirection, "\(text)") }
  }

  @Test func textsAreQuotedAsTheLineIs() {
    let text = "a 'b' \"c\" $d `e` \\ é*!"
    #expect(line("x ").quoted(text) == #"a\ \'b\'\ \"c\"\ \$d\ \`e\`\ \\\ é\*\!"#)
    #expect(line("x '").quoted(text) == #"a '\''b'\'' "c" $d `e` \ é*!"#)
    #expect(line("x \"").quoted(text) == #"a 'b' \"c\" \$d \`e\` \\ é*!"#)
  }

  /// What is quoted is read again as it was.
  @Test(arguments: ["", "'", "\""]) func quotedTextsAreReadBack(quote: String) {
    for text in ["a b", "it's", "\"", "$HOME", "\\", "`x`", "<>|&;()", "é 日本", "~a", "#", "a=b:c"] {
      #expect(line("x " + quote + line("x " + quote).quoted(text)).current == text, "\(text)")
    }
  }
}
