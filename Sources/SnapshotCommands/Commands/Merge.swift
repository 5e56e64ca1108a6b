import SnapshotStore

/// Merges a conflicted copy into its store, or two sides of a file for git.
struct MergeCommand<Root: Model>: StoreCommand {
  static var name: String { "merge" }
  static var summary: String { "Merge a copy of a store, such as a “conflicted copy”, into it" }
  static var usage: String {
    """
    STORE COPY [--base FILE] [-o OUT [--replace]]
           {tool} merge BASE OURS THEIRS -o OUT [--replace]
                              [--marker-size N]
    """
  }
  static var details: String {
    """
    STORE   the store; it is changed in one session, unless -o is given
    COPY    the copy that someone else changed; it stays as it is
    --base  the version that both were made from, for example a generation. It
            tells which side changed what
    -o      write the result to OUT, and leave STORE as it is

    Without --base, the result has everything that is in either, except what the
    other side deleted later. Of a note that differs, it has the later version of
    each property. With --base, a property that both sides changed stays as STORE
    has it.

    Prints the changes of STORE: + is new, - is removed, ~ differs. Then it prints
    the conflicts (!), where both sides changed something and only one version
    could be taken, and exits with 1 if there are any. “{tool} check STORE”
    lists conflicted copies.

    Dates and tombstones are known only for the models of {tool}. For
    another model, without --base, a record that one side removed stays, and each
    property that differs is a conflict.

    With three files, OUT gets the merge of two sides that were made from BASE; OUT
    may be OURS. A conflict keeps the version of OURS, is named on standard error,
    and makes the exit code 1. An empty BASE, as where two branches added the
    store, has the same effect as no --base.

    For “git merge”, configure (in one line)
      git config merge.snapshot.driver
        '{tool} merge %O %A %B -o %A --marker-size %L'
    and name your stores in .gitattributes:
      notes.json -text diff=snapshot merge=snapshot
    “{tool} diff --help” explains the diff command.

    --marker-size tells whether git merges the common ancestors of branches that
    have merged each other before. A conflict then keeps the version of BASE, so
    that git sees it again in the final merge.
    """
  }

  /// The merge that the arguments ask for.
  private let merge: () throws -> Void

  init(_ arguments: inout Arguments) throws {
    let base = try arguments.option("--base")
    let output = try arguments.option("--output", "-o")
    let replaces = arguments.flag("--replace")
    let first = try arguments.operand("STORE")
    let second = try arguments.operand("COPY")
    let markerSize = try arguments.markerSize()
    if let theirs = try arguments.optionalOperand() {
      guard let output else { throw arguments.usage("three files need -o OUT") }
      if base != nil { throw arguments.usage("with three files, the first is the base; leave --base out") }
      merge =
        MergeOfFiles<Root>(
          base: first, ours: second, theirs: theirs, output: output, replaces: replaces,
          isVirtual: MergeOfFiles<Root>.isVirtual(markerSize: markerSize ?? 0)
        ).run
    } else {
      if markerSize != nil { throw arguments.usage("--marker-size needs three files") }
      if replaces, output == nil { throw arguments.usage("--replace needs -o") }
      merge = MergeOfCopy<Root>(store: first, copy: second, base: base, output: output, replaces: replaces).run
    }
    try arguments.finish()
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
      merged = try SnapshotContent.merging(base: base, ours: before, theirs: theirs)
      let format = try FileFormat(fileName: output) ?? SnapshotHeader(of: ours.bytes).format
      try FileOutput(path: output, replaces: replaces).write(merged.content, as: format)
    } else {
      (before, merged) = try StoreSession<Known>(path: store).change { content in
        let before = content
        let merged = try SnapshotContent.merging(base: base, ours: before, theirs: theirs)
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
    let terminal = output == "-" ? Terminal.error : Terminal.output
    let difference = try DifferenceLines(from: before, to: merged.content)
    let conflicts = merged.conflicts.map { "! \($0.place): \($0.words)".forTerminal }
    let lines = difference.lines + merged.mended.map { "mended: \($0)".forTerminal } + conflicts
    for line in lines { try terminal.print(line + "\n") }
    if lines.isEmpty { try terminal.print("nothing to merge\n") }
    if !conflicts.isEmpty { throw ExitCode.found }
  }
}

extension Arguments {
  /// The number of `--marker-size`, as git passes it.
  fileprivate mutating func markerSize() throws -> Int? {
    guard let text = try option("--marker-size") else { return nil }
    guard let size = Int(text), size >= 0 else { throw usage("--marker-size needs a number") }
    return size
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
    }
  }
}
