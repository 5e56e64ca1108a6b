import SnapshotNotebook
import SnapshotStore

/// Brings a store and another copy of its notes together, by the dates of their changes.
struct SyncCommand: Command {
  static let name = "sync"
  static let summary = "Merge what another copy of the notes changed, and write what it lacks"
  static let usage = "STORE INCOMING [--outgoing FILE] [--policy newest|local|incoming] [--dry-run]"
  static let details = """
    STORE       the store; it is changed in one session
    INCOMING    what the other copy has: the JSON of Vesper's sync service (all of it, or its array of notes, of tags or
                of ids of deleted notes), or another store; - for standard input
    --outgoing  write what the other copy lacks to FILE (- for standard output), in Vesper's form
    --policy    newest (the default): each property of a note as the side has it that changed it later;
                local: as STORE has it; incoming: as INCOMING has it. With local, dates stay as they are, and so the
                other copy keeps what is newer there, unless it merges FILE with --policy incoming
    --dry-run   print what would be done, and write nothing

    Every property of a note has a modification date of its own, and so the text may come from one side and the tags
    from the other. Of a property that both have changed, the older change is gone; what STORE held before stays as
    an older version (see “snapshot-cli generations --help”). Dates count to the second; within one, the longer text
    or list wins. A note that one side deleted is gone unless the other changed it later. A deletion without a date,
    as Vesper writes it, is not followed where the note has such dates; with --policy incoming it is.

    FILE may be there already, in Vesper's form; anything else, STORE and INCOMING are refused before anything is
    changed. If STORE does not have just the same, what was in FILE stays as FILE.previous (then FILE.previous-2 and
    so on).

    Notes that come with a program (their ids are below 1000) are taken in, but never go to FILE. A tag without a
    name is passed over, and named.

    Prints the notes that were added (+), changed (~), deleted (-) and revived (*), those that differ but stay as
    STORE has them (=), and those that stay because nobody says when they were deleted (!). A second run with the
    same input changes nothing.

    Of what this program does not know, everything in either is in STORE afterwards. Where both have something else,
    one is taken and the place is named (!).

    Exit codes: 0 merged, or nothing to merge; 1 merged, and what both have otherwise is named (!); 64 wrong usage;
    65 bad data in STORE or INCOMING; 66 no such file; 73 FILE cannot be written, or holds something else; 74
    input/output error; 75 STORE is in use. STORE is merged first, then FILE is written, then the merge is printed.
    If one of these fails, those before it are done; doing it again is safe.
    """

  private let store: String
  private let incoming: String
  private let outgoing: String?
  private let policy: SyncPolicy
  private let isDryRun: Bool

  init(_ arguments: inout ArgumentScanner) throws {
    outgoing = try arguments.option("--outgoing", "-o")
    let policy = try arguments.option("--policy") ?? SyncPolicy.newest.rawValue
    isDryRun = arguments.flag("--dry-run")
    store = try arguments.operand("STORE")
    incoming = try arguments.operand("INCOMING")
    guard let known = SyncPolicy(rawValue: policy) else {
      throw arguments.usage("“\(policy.forTerminal)” is not one of newest, local, incoming")
    }
    self.policy = known
    try arguments.finish()
  }

  func run() throws {
    let session = try StoreSession(path: store)
    let bar = ProgressBar("reading \(DumpFile.name(incoming))")
    defer { bar.finish() }
    let content = try SyncContent(reading: try DumpFile.bytes(incoming), path: DumpFile.name(incoming))
    let file = try outgoing.map { try OutgoingFile(path: $0, store: session.url, incoming: incoming) }
    let merged: Merged
    bar.show("merging into \(DumpFile.name(store))")
    if isDryRun {
      var target = try session.readContent()
      merged = try merge(content, into: &target)
    } else {
      merged = try session.change { target in
        let merged = try merge(content, into: &target)
        bar.show("saving \(DumpFile.name(store))")
        return merged
      }
    }
    bar.finish()
    // Before anything is printed, which may end the program: the other side of a pipe may be gone.
    if let file, !isDryRun, let previous = try file.write(merged.outgoing, of: merged.after) {
      Terminal.error.printLine("snapshot-cli: what was in \(file.path.forTerminal) stays as \(previous.forTerminal)")
    }
    try report(merged)
  }

  /// What was done, and what is to go out: encoded before anything is saved, so that it can fail in time.
  private struct Merged {
    let before: Notebook
    let after: Notebook
    let report: SyncReport
    /// How many records and values have changed of which this program does not know all.
    let unknownChanges: Int
    /// What this program does not know, and both have otherwise.
    let conflicts: [MergeConflict]
    let outgoing: [UInt8]
  }

  private func merge(_ content: SyncContent, into target: inout NotebookContent) throws -> Merged {
    let before = target.value
    let report: SyncReport
    var conflicts: [MergeConflict] = []
    var unknownChanges = 0
    do {
      if let snapshot = content.snapshot {
        let known = target
        conflicts = target.mergeUnknown(from: snapshot, policy: policy.mergePolicy)
        unknownChanges = try ModelDifference(from: known, to: target).records.count
      }
      report = try target.value.merge(content, policy: policy)
    } catch var error as SnapshotError {
      error.path = DumpFile.name(incoming)
      throw error
    }
    let missing = outgoing == nil ? Notebook() : target.value.missing(from: content)
    return Merged(
      before: before, after: target.value, report: report, unknownChanges: unknownChanges, conflicts: conflicts,
      outgoing: try missing.vesperJSON())
  }

  private func report(_ merged: Merged) throws {
    // Where what goes out goes to standard output, this must not get into it.
    let terminal = outgoing == "-" && !isDryRun ? Terminal.error : Terminal.output
    let report = merged.report
    var lines: [String] = []
    for (mark, ids) in [
      ("+", report.addedNotes), ("~", report.changedNotes), ("-", report.deletedNotes), ("*", report.revivedNotes),
      ("=", report.keptNotes), ("!", report.ignoredDeletions),
    ] {
      for id in ids {
        let title = (merged.after.notes[id] ?? merged.before.notes[id])?.title ?? ""
        let words = title.isEmpty ? "" : "  \(String(title.prefix(60)))"
        lines.append("\(mark) note \(id)\(words)".forTerminal)
      }
    }
    lines += merged.conflicts.map { "! \($0)".forTerminal }
    lines.append(Self.summary(merged))
    try terminal.print(lines.joined(separator: "\n") + "\n")
    for skipped in report.skipped.prefix(20) {
      Terminal.error.printLine(
        "snapshot-cli: \(skipped.place.forTerminal) \(skipped.reason.forTerminal); it was passed over")
    }
    if report.skipped.count > 20 {
      Terminal.error.printLine("snapshot-cli: \(report.skipped.count - 20) more were passed over")
    }
    if !report.ignoredDeletions.isEmpty {
      Terminal.error.printLine(
        "snapshot-cli: deletions without a date were not followed; --policy incoming follows them, and all else there")
    }
    if !merged.conflicts.isEmpty { throw ExitCode.found }
  }

  private static func summary(_ merged: Merged) -> String {
    let report = merged.report
    let parts = [
      (report.addedNotes, "added"), (report.changedNotes, "changed"), (report.deletedNotes, "deleted"),
      (report.revivedNotes, "revived"), (report.keptNotes, "kept"),
    ].filter { !$0.0.isEmpty }.map { "\($1) \(Counts.text($0.count, "note"))" }
    var others = [
      Counts.text(report.addedTags.count, "new tag"), Counts.text(report.changedTags.count, "respelled tag"),
      Counts.text(report.addedAttachments.count, "new attachment"),
      Counts.text(report.rememberedDeletions.count, "remembered deletion"),
    ].filter { !$0.hasPrefix("0 ") }
    let ignored = report.ignoredDeletions.count
    if ignored > 0 { others.append("ignored \(Counts.text(ignored, "deletion"))") }
    if merged.unknownChanges > 0 {
      others.append("\(Counts.text(merged.unknownChanges, "change")) of what this program does not know")
    }
    if !merged.conflicts.isEmpty { others.append(Counts.text(merged.conflicts.count, "conflict")) }
    if parts.isEmpty, others.isEmpty { return "nothing to merge" }
    return (parts + others).joined(separator: ", ")
  }
}

extension SyncPolicy {
  /// The same for what has no dates of its own.
  fileprivate var mergePolicy: MergePolicy {
    switch self {
    case .newest: .newest
    case .local: .ours
    case .incoming: .theirs
    }
  }
}
