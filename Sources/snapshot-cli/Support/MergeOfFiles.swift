import SnapshotStore

/// Brings two sides of a file together that were made from one, as the merge driver of git does.
///
/// The result is written whole or not at all, and can be opened whatever the two sides hold: no marks of conflicts are put
/// into it. Of what both changed, it has what OURS has.
struct MergeOfFiles {
  /// A file that may be empty, if nobody knows what both were made from.
  let base: String
  let ours: String
  let theirs: String
  let output: String
  let replaces: Bool

  func run() throws {
    let bytes = try DumpFile.bytes(ours)
    let notebook: Notebook = try SnapshotFile.decode(from: bytes, path: DumpFile.name(ours))
    let merge = NotebookMerge(
      base: try DumpFile.readVersion(base), ours: notebook, theirs: try DumpFile.read(theirs))
    try write(merge.value, over: bytes)
    for mended in merge.mended { Terminal.error.printLine("mended: \(mended)".forTerminal) }
    for conflict in merge.conflicts { Terminal.error.printLine("! \(conflict)".forTerminal) }
    guard merge.conflicts.isEmpty else {
      Terminal.error.printLine(
        "The file can be opened, and has OURS of this (!). Take over by hand what you want of THEIRS, then “git add” it."
      )
      throw ExitCode.found
    }
  }

  private func write(_ notebook: Notebook, over bytes: [UInt8]) throws {
    let format = try SnapshotSummary(of: bytes).format
    guard output != "-", try DumpFile.url(output) == DumpFile.url(ours) else {
      let format = FileFormat(fileName: output) ?? format
      return try DumpFile.write(notebook, to: output, as: format, replacing: replaces)
    }
    let merged = try SnapshotFile.encode(notebook, as: format).bytes
    if merged != bytes {
      try Failure.creating { try SnapshotFile.replace(bytes, with: merged, at: DumpFile.url(ours)) }
    }
  }
}

/// What comes of two notebooks that were made from one.
struct NotebookMerge {
  private(set) var value: Notebook
  let mended: [Violation]
  /// What both changed, in one line each.
  private(set) var conflicts: [String] = []

  init(base: Notebook, ours: Notebook, theirs: Notebook) {
    // Without anything in common, the dates of the properties say more.
    let isFromNothing = base.hasSameRecords(as: Notebook())
    let merged =
      isFromNothing
      ? Notebook.merging(ours: ours, theirs: theirs) : Notebook.merging(base: base, ours: ours, theirs: theirs)
    (value, mended) = (merged.value, merged.mended)
    for conflict in merged.conflicts {
      let properties = isFromNothing ? [] : mergeProperties(conflict, base, theirs)
      guard let properties else { continue }
      let place =
        "\(conflict.table) \(conflict.id)" + (properties.isEmpty ? "" : " \(properties.joined(separator: ", "))")
      conflicts.append("\(place): \(Self.words(conflict.resolution))")
    }
  }

  /// Takes over what only they changed of a note.
  ///
  /// - Returns: the properties that both changed, which stay as ours has them; nil if there are none.
  private mutating func mergeProperties(_ conflict: MergeConflict, _ base: Notebook, _ theirs: Notebook) -> [String]? {
    guard conflict.table == "notes", conflict.resolution == .tookOurs, let id = Note.ID(conflict.id),
      let base = base.notes[id], let theirs = theirs.notes[id]
    else { return [] }
    var draft = value
    guard let outcome = try? draft.merge(detached: theirs, base: base) else { return [] }
    let both = (outcome.overwritten + outcome.leftOut).map(\.rawValue)
    if !both.isEmpty { return both }
    value = draft
    return nil
  }

  private static func words(_ resolution: MergeConflict.Resolution) -> String {
    switch resolution {
    case .tookOurs: "both changed it; ours was taken"
    case .keptTheirChange: "ours removed it, theirs changed it; it is there"
    case .keptOurChange: "theirs removed it, ours changed it; it is there"
    case .leftTheirsOut: "theirs does not fit beside what ours has; only theirs has it"
    }
  }
}
