/// The text of `--help` without a command.
struct ToolHelp {
  let tool: Tool
  let width: Int

  /// The meaning of the exit codes, which follow `sysexits.h`.
  static let exitCodes: [(code: Int, meaning: String)] = [
    (0, "good"), (1, "a check or comparison found something"), (64, "wrong usage"), (65, "bad data"),
    (66, "no such file or record"), (73, "cannot create"), (74, "input/output error"),
    (75, "in use, or changed by someone else in the meantime"), (124, "the time is over"), (130, "interrupted"),
  ]

  /// The variables of the environment that have a meaning.
  static let variables: [(name: String, meaning: String)] = [
    (StorePath.variable, "the store of commands that name none"),
    ("VISUAL, EDITOR", "the editor of commands that open one; it may have arguments"),
    ("NO_COLOR", "no colours, if it is not empty"),
  ]

  /// The sources of the store that commands share.
  static let storeNote =
    "Commands on one store take it from the operand, from --store FILE, or from $SNAPSHOT_STORE. "
    + "Options may stand before the command."

  var text: String {
    let column = 4 + (tool.commands.map { $0.name.count }.max() ?? 0)
    let commands = tool.commands.map { command in
      TextLayout.entry("  " + command.name, tool.filled(command.summary), column: column, width: width)
    }
    let codes = Self.exitCodes.map { "\($0.code) \($0.meaning)" }.joined(separator: "; ")
    return [
      filled("\(tool.summary)."), "Usage: \(tool.name) COMMAND [ARGUMENTS]", commands.joined(separator: "\n"),
      filled("“\(tool.name) COMMAND --help” explains a command.") + "\n"
        + filled("“\(tool.name) --version” prints the version."),
      filled(Self.storeNote), tool.notes.isEmpty ? "" : filled(tool.notes), filled("Exit codes: \(codes)."),
    ].filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  private func filled(_ text: String) -> String { TextLayout.filled(tool.filled(text), width: width) }
}
