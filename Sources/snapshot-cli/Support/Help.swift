/// The texts of `--help`.
enum Help {
  static var overview: String {
    let width = SnapshotCLI.commands.map { $0.name.count }.max() ?? 0
    let lines = SnapshotCLI.commands.map { command in
      "  " + command.name.padding(to: width + 2) + command.summary
    }
    return """
      Notes in one plain file, JSON or a property list, saved as a whole.

      Usage: snapshot-cli COMMAND [ARGUMENTS]

      \(lines.joined(separator: "\n"))

      “snapshot-cli COMMAND --help” explains a command.
      “snapshot-cli --version” prints the version.
      Commands on notes take the store from --store FILE, or from $SNAPSHOT_STORE.

      Exit codes: 0 good; 1 a check or comparison found something; 64 wrong usage;
      65 bad data; 66 no such file or record; 73 cannot create; 74 input/output
      error; 75 in use, or changed by someone else in the meantime; 130 interrupted.
      """
  }

  static func text(of command: any Command.Type) -> String {
    """
    Usage: snapshot-cli \(command.name) \(command.usage)

    \(command.summary).

    \(command.details)
    """
  }
}
