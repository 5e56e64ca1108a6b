import SnapshotStore

/// Compares two stores.
struct DiffCommand<Root: Model>: StoreCommand {
  static var name: String { "diff" }
  static var summary: String { "Show the differences of two stores, record by record" }
  static var forms: [[Parameter]] {
    [
      [
        .operand("OLD", .store, "a store or a dump, in any format, or - for standard input"),
        .operand("NEW", .store, "the same"), json,
      ],
      [
        .flag("--git", "take the arguments that git gives to a diff command").required,
        .operand("PATH", .anyFile, "these arguments, which begin with a path").repeated, json,
      ],
    ]
  }
  static var discussion: String {
    """
    Exits with 0 if both have the same content, with 1 if they differ, and with 64 or more if they could not be
    compared.

    Records of a model that {tool} does not know are compared by their ids. If only their order differs, the ids in
    their order are shown. Records without ids are compared by their places.

    For “git diff”, configure
      git config diff.snapshot.command '{tool} diff --git'

    and name your stores in .gitattributes:
      notes.json -text diff=snapshot merge=snapshot

    “{tool} merge --help” explains the merge driver.
    """
  }

  private static var json: Parameter {
    .flag(
      "--json",
      """
      print an array of objects with “table”, “id”, “change” (inserted, updated, removed) and “properties”. A property
      has its “name”, as “set” and --where take it, its “old” value and its “new” value
      """
    )
  }

  private let old: String
  private let new: String
  private let isJSON: Bool
  /// The path in the repository, if git runs the command.
  private let gitPath: String?
  private let tool: String

  init(_ arguments: inout Arguments) throws {
    tool = arguments.toolName
    isJSON = arguments.flag("--json")
    if arguments.flag("--git") {
      let operands = arguments.operands("PATH")
      gitPath = operands[0]
      // Git passes: path old-file old-hex old-mode new-file new-hex new-mode, and two more for a renamed file. During
      // an unfinished merge it passes the path alone.
      if operands.count > 1, operands.count < 7 {
        throw arguments.usage("--git needs the arguments that git passes to a diff command")
      }
      (old, new) = operands.count == 1 ? ("", "") : (operands[1], operands[4])
    } else {
      gitPath = nil
      old = arguments.operand("OLD")
      new = arguments.operand("NEW")
      try FileName.requireDifferentStreams(old, new)
    }
  }

  func run() throws {
    if let gitPath { return try runForGit(gitPath) }
    let difference = try difference(from: try FileInput(old), to: try FileInput(new))
    try print(difference)
    if !difference.isEmpty { throw ExitCode.found }
  }

  /// The difference of two versions. A missing one is empty. Both are read with the same types, or both without.
  private func difference(from old: FileInput?, to new: FileInput?) throws -> ModelDifference {
    func difference<Known: Model>(as type: Known.Type) throws -> ModelDifference {
      let empty = SnapshotContent(Known())
      return try ModelDifference(from: try old?.content(type) ?? empty, to: try new?.content(type) ?? empty)
    }
    let types: [any Model.Type] = [old, new].compactMap { $0?.model(for: Root.self) }
    let type: any Model.Type = types.contains { $0 is UntypedModel.Type } ? UntypedModel.self : Root.self
    return try difference(as: type)
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
    try output.print(output.bold("\(tool) diff \(path.forTerminal)") + "\n")
    if old.isEmpty { return try output.print("not merged yet\n") }
    do {
      try print(try difference(from: try FileInput(gitVersionAt: old), to: try FileInput(gitVersionAt: new)))
      let name = new.forTerminal
      let note = JournalNote(beside: new)?.text(name) { changes in
        "git does not see \(changes) in the journal beside it; “\(tool) fold \(name)” writes them to the file"
      }
      if let note { try output.print("note: \(note)\n") }
    } catch let error as SnapshotError {
      try output.print("cannot be compared: \(CommandFailure(error).message)\n")
    }
  }
}

extension Terminal {
  /// A line of a difference, in the usual colours.
  fileprivate func coloured(_ line: String) -> StyledText {
    switch line.first {
    case "+", "-", "~": bold(line)
    default:
      switch line.drop(while: { $0 == " " }).prefix(2) {
      case "- ": red(line)
      case "+ ": green(line)
      default: StyledText(line)
      }
    }
  }
}
