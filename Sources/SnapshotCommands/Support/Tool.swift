/// The tool that runs, with its commands and the texts of its help.
struct Tool {
  /// Stands for the name of the tool in texts until they are printed.
  static let mark = "{tool}"

  let name: String
  let version: String
  let summary: String
  let notes: String
  let commands: [any StoreCommand.Type]

  /// - Throws: a failure for a name that no command has.
  func command(_ name: String) throws -> any StoreCommand.Type {
    if let command = commands.first(where: { $0.name == name }) { return command }
    throw CommandFailure.usage("there is no command “\(name.forTerminal)”; “\(Self.mark) --help” lists them")
  }

  /// The text of `--help` without a command.
  var overview: String {
    let width = commands.map { $0.name.count }.max() ?? 0
    let lines = commands.map { "  " + $0.name.padding(to: width + 2) + $0.summary }
    return filled(
      """
      \(summary).

      Usage: {tool} COMMAND [ARGUMENTS]

      \(lines.joined(separator: "\n"))

      “{tool} COMMAND --help” explains a command.
      “{tool} --version” prints the version.
      \(notes.isEmpty ? "" : notes + "\n")
      Exit codes: 0 good; 1 a check or comparison found something; 64 wrong usage;
      65 bad data; 66 no such file or record; 73 cannot create; 74 input/output
      error; 75 in use, or changed by someone else in the meantime; 130 interrupted.
      """)
  }

  /// The text of `--help` for a command.
  func help(on command: any StoreCommand.Type) -> String {
    filled(
      """
      Usage: {tool} \(command.name) \(command.usage)

      \(command.summary).

      \(command.details)
      """)
  }

  private func filled(_ text: String) -> String { text.replacing(Self.mark, with: name) }
}
