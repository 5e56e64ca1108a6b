import SnapshotNotebook
import SnapshotStore

/// Brings a conflicted copy back into its store, or two sides of a file together, as git asks for it.
struct MergeCommand: Command {
  static let name = "merge"
  static let summary = "Take the changes of a copy into a store, such as a sync service's “conflicted copy”"
  static let usage =
    "STORE COPY [--base FILE] [-o OUT [--replace]] | BASE OURS THEIRS -o OUT [--replace] [--marker-size N]"
  static let details = """
    STORE   the store; it is changed in one session, unless -o is given
    COPY    what someone else made of it; it is not changed
    --base  what both were made from, for example a generation: then it is known who changed what
    -o      write the result to OUT, and leave STORE as it is

    Without --base, everything that is in either is in the result, but for what the other deleted later, and of a
    note that differs the later version of each property. With it, a property that both changed stays as STORE has
    it.

    Prints what changes in STORE: + is new, - is gone, ~ differs; then what both sides changed, of which only one
    could be taken (!), and exits with 1 if there is such a thing. “snapshot-cli check STORE” lists conflicted
    copies.

    With three files, OUT gets what comes of two sides that were made from BASE; OUT may be OURS. What both changed
    is as OURS has it, is named on standard error, and makes the exit code 1. If BASE is an empty file, as where two
    branches added the store, it is as without --base. For “git merge”, configure
    “git config merge.snapshot.driver 'snapshot-cli merge %O %A %B -o %A --marker-size %L'”, and name your
    stores in .gitattributes: “notes.json -text diff=snapshot merge=snapshot”; “snapshot-cli diff --help” has the
    other half. With --marker-size, git says whether it merges what it will merge others by, where branches have
    been merged with each other before: what both sides changed is then as BASE has it, and git sees later that
    both did.
    """

  /// What both were made from, and the two sides, if three files are given.
  private let sides: MergeOfFiles?
  private let store: String
  private let copy: String
  private let base: String?
  private let output: String?
  private let replaces: Bool

  init(_ arguments: inout ArgumentScanner) throws {
    base = try arguments.option("--base")
    output = try arguments.option("--output", "-o")
    replaces = arguments.flag("--replace")
    let first = try arguments.operand("STORE")
    let second = try arguments.operand("COPY")
    let markerSize = try arguments.markerSize()
    if let theirs = try arguments.optionalOperand() {
      guard let output else { throw arguments.usage("with three files, -o says where the result goes") }
      if base != nil { throw arguments.usage("with three files, the first is the base") }
      sides = MergeOfFiles(
        base: first, ours: second, theirs: theirs, output: output, replaces: replaces,
        isVirtual: MergeOfFiles.isVirtual(markerSize: markerSize ?? 0))
    } else {
      sides = nil
      if markerSize != nil { throw arguments.usage("--marker-size goes with three files") }
    }
    (store, copy) = (first, second)
    if replaces, output == nil { throw arguments.usage("--replace goes with -o") }
    try arguments.finish()
  }

  func run() throws {
    if let sides { return try sides.run() }
    let theirs = try DumpFile.read(copy)
    let base = try base.map { try DumpFile.read($0) }
    let before: NotebookContent
    let merged: MergedContent
    if let output {
      let bytes = try DumpFile.bytes(store)
      before = try SnapshotFile.decodeContent(from: bytes, path: DumpFile.name(store))
      merged = merge(before, theirs, base)
      let format = try FileFormat(fileName: output) ?? SnapshotSummary(of: bytes).format
      try DumpFile.write(merged.content, to: output, as: format, replacing: replaces)
    } else {
      (before, merged) = try StoreSession(path: store).change { content in
        let before = content
        let merged = merge(before, theirs, base)
        content = merged.content
        return (before, merged)
      }
    }
    try report(before, merged)
  }

  private func merge(
    _ ours: NotebookContent, _ theirs: NotebookContent, _ base: NotebookContent?
  ) -> MergedContent {
    base.map { NotebookContent.merging(base: $0, ours: ours, theirs: theirs) }
      ?? NotebookContent.merging(ours: ours, theirs: theirs)
  }

  private func report(_ before: NotebookContent, _ merged: MergedContent) throws {
    // Where the result goes to standard output, this must not get into it.
    let terminal = output == "-" ? Terminal.error : Terminal.output
    let difference = try NotebookDifference(from: before, to: merged.content)
    let conflicts = merged.conflicts.map { "! \($0.place): \($0.words)".forTerminal }
    let lines = difference.lines + merged.mended.map { "mended: \($0)".forTerminal } + conflicts
    for line in lines { try terminal.print(line + "\n") }
    if lines.isEmpty { try terminal.print("nothing to merge\n") }
    if !conflicts.isEmpty { throw ExitCode.found }
  }
}

extension ArgumentScanner {
  /// The number of `--marker-size`, as git gives it.
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
    case .removed: "one side changed it, the other removed it; it is gone"
    case .keptTheirChange: "it was removed from the store and changed in the copy; it is there again"
    case .keptOurChange: "it was removed from the copy and changed in the store; it stays"
    case .leftTheirsOut: "it does not fit beside what the store has; only the copy has it"
    }
  }
}
