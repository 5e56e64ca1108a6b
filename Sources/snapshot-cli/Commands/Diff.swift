import SnapshotStore

/// Compares two stores.
struct DiffCommand: Command {
  static let name = "diff"
  static let summary = "Show the differences of two stores, record by record"
  static let usage = "OLD NEW [--json]"
  static let details = """
    OLD, NEW  stores or dumps, in any formats, or - for standard input
    --json    print an array of objects with “table”, “id”, “change” (inserted,
              updated, removed) and “properties”. A property has its “name”, its
              “old” value and its “new” value
    --git     take the arguments that git gives to a diff command

    Exits with 0 if both have the same content, with 1 if they differ, and with 64
    or more if they could not be compared.

    For “git diff”, configure
      git config diff.snapshot.command 'snapshot-cli diff --git'
    and name your stores in .gitattributes:
      notes.json -text diff=snapshot merge=snapshot
    “snapshot-cli merge --help” explains the merge driver.
    """

  private let old: String
  private let new: String
  private let isJSON: Bool
  /// The path in the repository, if git runs the command.
  private let gitPath: String?

  init(_ arguments: inout ArgumentScanner) throws {
    isJSON = arguments.flag("--json")
    if arguments.flag("--git") {
      let operands = try arguments.operands("PATH")
      gitPath = operands[0]
      // Git passes: path old-file old-hex old-mode new-file new-hex new-mode, and two more for a renamed file. During
      // an unfinished merge it passes the path alone.
      if operands.count > 1, operands.count < 7 {
        throw arguments.usage("--git needs the arguments that git passes to a diff command")
      }
      (old, new) = operands.count == 1 ? ("", "") : (operands[1], operands[4])
    } else {
      gitPath = nil
      old = try arguments.operand("OLD")
      new = try arguments.operand("NEW")
      if old == "-", new == "-" { throw arguments.usage("only one of the two can be standard input") }
    }
    try arguments.finish()
  }

  func run() throws {
    if let gitPath { return try runForGit(gitPath) }
    let difference = try ModelDifference(from: try DumpFile.read(old), to: try DumpFile.read(new))
    try print(difference)
    if !difference.isEmpty { throw ExitCode.found }
  }

  private func print(_ difference: ModelDifference) throws {
    let output = Terminal.output
    if isJSON { return try output.print(difference.json) }
    for line in difference.lines { try output.print(output.coloured(line) + "\n") }
    try output.print(difference.summary + "\n")
  }

  /// Git stops at any exit code but 0, and then shows no other file either. The output therefore says what cannot be
  /// compared.
  private func runForGit(_ path: String) throws {
    let output = Terminal.output
    try output.print(output.bold("snapshot-cli diff \(path.forTerminal)") + "\n")
    if old.isEmpty { return try output.print("not merged yet\n") }
    do {
      try print(try ModelDifference(from: try DumpFile.readVersion(old), to: try DumpFile.readVersion(new)))
    } catch let error as SnapshotError {
      try output.print("cannot be compared: \(error.description.forTerminal)\n")
    }
  }
}

extension Terminal {
  /// A line of a difference, in the usual colours.
  fileprivate func coloured(_ line: String) -> String {
    switch line.first {
    case "+", "-", "~": bold(line)
    default:
      switch line.drop(while: { $0 == " " }).prefix(2) {
      case "- ": red(line)
      case "+ ": green(line)
      default: line
      }
    }
  }
}
