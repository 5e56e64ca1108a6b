import SnapshotStore

/// Merges a conflicted copy into its store, or two sides of a file for git.
struct MergeCommand<Root: Model>: StoreCommand {
  static var name: String { "merge" }
  static var summary: String { "Merge a copy of a store, such as a “conflicted copy”, into it" }
  static var forms: [[Parameter]] {
    let force = Parameter.flag("--force", "replace OUT if it exists")
    return [
      [
        .store("STORE", "the store; it is changed in one session, unless -o is given"),
        .operand("COPY", .store, "the copy that someone else changed; it stays as it is"),
        .option(
          "--base", "FILE", .store,
          "the version that both were made from, for example a generation. It tells which side changed what"),
        .output("write the result to OUT, and leave STORE as it is"), force,
      ],
      [
        .operand("BASE", .store, "the version that two sides were made from. It may be empty"),
        .operand("OURS", .store, "a side"), .operand("THEIRS", .store, "the other side"),
        .output("the file for the merge of both sides; it may be OURS").required, force,
        .option(
          "--marker-size", "N", .number(0...Int.max),
          "as git passes it; it tells whether git merges the common ancestors of branches"),
      ],
    ]
  }
  static var discussion: String {
    """
    Without --base, the result has everything that is in either, except what the other side deleted later. Of a note
    that differs, it has the later version of each property. With --base, a property that both sides changed stays as
    STORE has it.

    Prints the changes of STORE: + is new, - is removed, ~ differs. Then it prints the conflicts (!), where both sides
    changed something and only one version could be taken, and exits with 1 if there are any. “{tool} check STORE” lists
    conflicted copies.

    Dates and tombstones are known only for the models of {tool}. For another model, without --base, a record that one
    side removed stays, and each property that differs is a conflict. Its records keep the order of the side that moved
    some. If both did, that is a conflict of the “order”.

    With three files, a conflict keeps the version of OURS, is named on standard error, and makes the exit code 1. An
    empty BASE, as where two branches added the store, has the same effect as no --base.

    For “git merge”, configure (in one line)
      git config merge.snapshot.driver
        '{tool} merge %O %A %B -o %A --marker-size %L'

    and name your stores in .gitattributes:
      notes.json -text diff=snapshot merge=snapshot

    “{tool} diff --help” explains the diff command.

    --marker-size tells whether git merges the common ancestors of branches that have merged each other before. A
    conflict then keeps the version of BASE, so that git sees it again in the final merge.
    """
  }

  /// The merge that the arguments ask for.
  private let merge: () throws -> Void

  init(_ arguments: inout Arguments) throws {
    let output = arguments.option("--output")
    let replaces = arguments.flag("--force")
    if let theirs = arguments.optionalOperand("THEIRS"), let output {
      merge =
        MergeOfFiles<Root>(
          base: arguments.operand("BASE"), ours: arguments.operand("OURS"), theirs: theirs, output: output,
          replaces: replaces,
          isVirtual: MergeOfFiles<Root>.isVirtual(markerSize: arguments.number("--marker-size") ?? 0)
        ).run
    } else {
      if replaces, output == nil { throw arguments.usage("--force needs --output") }
      merge =
        MergeOfCopy<Root>(
          store: arguments.operand("STORE"), copy: arguments.operand("COPY"), base: arguments.option("--base"),
          output: output, replaces: replaces
        ).run
    }
  }

  func run() throws { try merge() }
}

/// Merges a copy of a store into the store, or both into another file.
private struct MergeOfCopy<Root: Model> {
  let store: String
  let copy: String
  /// The file that both were made from, if it is known.
  let base: String?
  /// The file for the result; nil changes the store.
  let output: String?
  let replaces: Bool

  func run() throws {
    if output == nil { try FileName.requireFile(store, "the store must be a file") }
    try FileName.requireDifferentStreams(store, copy, base)
    let (ours, theirs) = (try FileInput(store), try FileInput(copy))
    try merge(ours, theirs, try base.map { try FileInput($0) }, as: ours.model(for: Root.self))
  }

  private func merge<Known: Model>(
    _ ours: FileInput, _ theirs: FileInput, _ base: FileInput?, as type: Known.Type
  ) throws {
    try ours.requireSameTypes(as: [base, theirs].compactMap { $0 }, type)
    let (theirs, base) = (try theirs.content(type), try base?.content(type))
    let before: SnapshotContent<Known>
    let merged: SnapshotContent<Known>.Merged
    if let output {
      before = try ours.content()
      merged = try SnapshotContent.settledMerge(ofBase: base, ours: before, theirs: theirs)
      let format = try FileFormat(fileName: output) ?? SnapshotHeader(of: ours.bytes).format
      try FileOutput(path: output, replaces: replaces).write(merged.content, as: format)
    } else {
      (before, merged) = try StoreSession<Known>(path: store).change { content in
        let before = content
        let merged = try SnapshotContent.settledMerge(ofBase: base, ours: before, theirs: theirs)
        content = merged.content
        return (before, merged)
      }
    }
    try report(before, merged)
    if base == nil { ours.noteMergeWithoutBase(type) }
  }

  private func report<Known: Model>(
    _ before: SnapshotContent<Known>, _ merged: SnapshotContent<Known>.Merged
  ) throws {
    // If the result goes to standard output, the report must not be mixed with it.
    let terminal = output.map(FileName.isStream) == true ? Terminal.error : Terminal.output
    let difference = try DifferenceLines(from: before, to: merged.content)
    let conflicts = merged.conflicts.map { "! \($0.place): \($0.words)".forTerminal }
    let lines = difference.lines + merged.repaired.map { "repaired: \($0)".forTerminal } + conflicts
    for line in lines { try terminal.print(line + "\n") }
    if lines.isEmpty { try terminal.print("nothing to merge\n") }
    if !conflicts.isEmpty { throw ExitCode.found }
  }
}

extension MergeConflict {
  fileprivate var words: String {
    switch resolution {
    case .tookOurs: "both changed it; the store's version was taken"
    case .tookTheirs: "both changed it; the copy's version was taken"
    case .tookOursOverOlder: "the copy has an older version of it; the store's version was taken"
    case .tookBase: "both changed it; it is as it was before"
    case .removed: "one side changed it, the other removed it; it was removed"
    case .keptTheirChange: "it was removed from the store and changed in the copy; it was restored"
    case .keptOurChange: "it was removed from the copy and changed in the store; it stays"
    case .leftTheirsOut: "it conflicts with a record of the store; only the copy has it"
    case .leftOursOut: "it conflicts with a record of the copy; only the store had it"
    }
  }
}
