import SnapshotCommands
import SnapshotNotebook
import SnapshotStore

/// Merges a store with another copy of its notes, by their modification dates.
struct SyncCommand: StoreCommand {
  static let name = "sync"
  static let summary = "Merge the changes of another copy of the notes, by their dates"
  static let parameters: [Parameter] = [
    .store("STORE", "the store; it is changed in one session"),
    .operand(
      "INCOMING", .store,
      """
      the content of the other copy: another store, or the JSON of Vesper's sync service (all of it, or its array of
      notes, of tags or of ids of deleted notes); - for standard input
      """
    ),
    .option(
      "--outgoing", "FILE", .file(extensions: ["json"]), short: "o",
      "write the records that the other copy lacks to FILE (- for standard output), in Vesper's format"),
    .option(
      "--policy", "POLICY",
      .words([
        Candidate("newest", "the default: each property comes from the side that changed it later"),
        Candidate("local", "STORE wins"), Candidate("incoming", "INCOMING wins"),
      ]), "which side counts:"),
    .flag("--dry-run", "print what would be done, and write nothing"),
  ]
  static let discussion = """
    With the policy local, dates stay as they are. The other copy therefore keeps its newer properties, unless it merges
    FILE with --policy incoming.

    Every property of a note has its own modification date, so the text may come from one side and the tags from the
    other. If both sides have changed a property, the older change is lost. The old content of STORE stays as an older
    version (see “{tool} generations --help”). Dates count to the second; within one second, the longer text or list
    wins.

    A note that one side deleted is deleted, unless the other changed it later. A deletion without a date, as Vesper
    writes it, is ignored if the note has dates; --policy incoming follows it.

    FILE may exist if it is in Vesper's format. Other files, STORE and INCOMING are refused before anything is changed.
    If STORE lacks something that is in FILE, or has another version of it, the old FILE stays as FILE.previous (then
    FILE.previous-2 and so on).

    Notes that come with a program (with ids below 1000) are merged, but never written to FILE. A tag without a name is
    skipped, and named.

    Prints the notes that were added (+), changed (~), deleted (-) and revived (*). Also prints the notes that differ
    but stay as STORE has them (=), and those that stay because the date of their deletion is unknown (!). A second run
    with the same input changes nothing.

    STORE also gets the content of either side that this program does not know. If both sides have different versions of
    it, one is taken and the place is named (!).

    Exit codes: 0 merged, or nothing to merge; 1 merged, with conflicts in unknown content (!); 64 wrong usage; 65 bad
    data in STORE or INCOMING; 66 no such file; 73 FILE cannot be written, or has other content; 74 input/output error;
    75 STORE is in use. STORE is merged first, then FILE is written, then the merge is printed. If one of these fails,
    the earlier steps are done. Running the command again is safe.
    """

  private let store: String
  private let incoming: String
  private let outgoing: String?
  private let policy: SyncPolicy
  private let isDryRun: Bool

  init(_ arguments: inout Arguments) throws {
    outgoing = arguments.option("--outgoing")
    policy = arguments.option("--policy").flatMap { SyncPolicy(word: $0) } ?? .newest
    isDryRun = arguments.flag("--dry-run")
    store = arguments.operand("STORE")
    incoming = arguments.operand("INCOMING")
  }

  func run() throws {
    let session = try StoreSession<Notebook>(path: store)
    if !FileName.isStandard(incoming) { try FileName.requireDifferentStreams(incoming, outgoing) }
    let bar = ProgressBar("reading \(FileName.shown(incoming))")
    defer { bar.finish() }
    let content = try SyncContent(reading: try FileInput(incoming).bytes, path: FileName.shown(incoming))
    let file = try outgoing.map { try OutgoingFile(path: $0, store: session.url, incoming: incoming) }
    let merged: Merged
    bar.show("merging into \(FileName.shown(store))")
    if isDryRun {
      var target = try session.readContent()
      merged = try merge(content, into: &target)
    } else {
      merged = try session.change { target in
        let merged = try merge(content, into: &target)
        bar.show("saving \(FileName.shown(store))")
        return merged
      }
    }
    bar.finish()
    // Written before anything is printed. Printing may end the program if the other side of a pipe is closed.
    if let file, !isDryRun, let previous = try file.write(merged.outgoing, of: merged.after) {
      Terminal.error.printLine("snapshot-cli: the old \(file.path.forTerminal) stays as \(previous.forTerminal)")
    }
    try report(merged)
  }

  /// The result of the merge, and the outgoing content. It is encoded before the store is saved, so that an error
  /// changes nothing.
  private struct Merged {
    let before: Notebook
    let after: Notebook
    let report: SyncReport
    /// The number of changed records and values with unknown content.
    let unknownChanges: Int
    /// Conflicts in unknown content.
    let conflicts: [MergeConflict]
    let outgoing: [UInt8]
  }

  private func merge(_ content: SyncContent, into target: inout SnapshotContent<Notebook>) throws -> Merged {
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
      error.path = FileName.shown(incoming)
      throw error
    }
    let missing = outgoing == nil ? Notebook() : target.value.missing(from: content)
    return Merged(
      before: before, after: target.value, report: report, unknownChanges: unknownChanges, conflicts: conflicts,
      outgoing: try missing.vesperJSON())
  }

  private func report(_ merged: Merged) throws {
    // If the outgoing content goes to standard output, the report must not be mixed with it.
    let terminal = outgoing.map(FileName.isStream) == true && !isDryRun ? Terminal.error : Terminal.output
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
        "snapshot-cli: \(skipped.place.forTerminal) \(skipped.reason.forTerminal); it was skipped")
    }
    if report.skipped.count > 20 {
      Terminal.error.printLine("snapshot-cli: \(report.skipped.count - 20) more were skipped")
    }
    if !report.ignoredDeletions.isEmpty {
      Terminal.error.printLine(
        "snapshot-cli: deletions without a date that can be read were ignored; --policy incoming follows them, and takes all of INCOMING"
      )
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
      others.append("\(Counts.text(merged.unknownChanges, "change")) of unknown content")
    }
    if !merged.conflicts.isEmpty { others.append(Counts.text(merged.conflicts.count, "conflict")) }
    if parts.isEmpty, others.isEmpty { return "nothing to merge" }
    return (parts + others).joined(separator: ", ")
  }
}

extension SyncPolicy {
  /// The policy that a word of the command line names: the sides have the names of the operands there.
  fileprivate init?(word: String) {
    switch word {
    case "newest": self = .newest
    case "local": self = .ours
    case "incoming": self = .theirs
    default: return nil
    }
  }

  /// The matching policy for content without dates.
  fileprivate var mergePolicy: MergePolicy {
    switch self {
    case .newest: .newest
    case .ours: .ours
    case .theirs: .theirs
    }
  }
}
