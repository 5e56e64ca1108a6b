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
    let merge = merging(base: try DumpFile.readVersion(ifAny: base), ours: notebook, theirs: try DumpFile.read(theirs))
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

  /// Without anything in common, the dates of the properties say more.
  private func merging(
    base: Notebook?, ours: Notebook, theirs: Notebook
  ) -> (value: Notebook, conflicts: [MergeConflict], mended: [Violation]) {
    if let base { return Notebook.merging(base: base, ours: ours, theirs: theirs) }
    return Notebook.merging(ours: ours, theirs: theirs)
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
