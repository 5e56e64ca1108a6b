import SnapshotStore

/// Merges two sides of a file that were made from one base, as git's merge driver.
///
/// The result is written as a whole or not at all. It can always be opened: it contains no conflict markers. A conflict
/// keeps the value of OURS.
struct MergeOfFiles<Root: Model> {
  /// The base, which may be an empty file if the common version is unknown.
  let base: String
  let ours: String
  let theirs: String
  let output: String
  let replaces: Bool
  /// Whether git uses the result only as the base of a further merge, because the two sides have several common
  /// ancestors (“criss-cross”).
  ///
  /// A conflict then keeps the value of the base. With the value of one side, git would see a change by the other side
  /// alone, and take it without a conflict.
  let isVirtual: Bool

  /// Git's conflict markers have seven characters, or eight if both sides are renamed files. Each merge inside a merge
  /// adds two.
  static func isVirtual(markerSize: Int) -> Bool { markerSize >= 9 }

  func run() throws {
    try FileName.requireDifferentStreams(base, ours, theirs)
    let (ours, theirs) = (try FileInput(ours), try FileInput(theirs))
    try merge(try FileInput(versionAt: base), ours, theirs, as: ours.model(for: Root.self))
  }

  private func merge<Known: Model>(
    _ base: FileInput?, _ ours: FileInput, _ theirs: FileInput, as type: Known.Type
  ) throws {
    try ours.requireSameTypes(as: [base, theirs].compactMap { $0 }, type)
    let common = try base?.content(type)
    let merged = try merged(common, try ours.content(type), try theirs.content(type))
    try write(merged.content, over: ours.bytes)
    if !isVirtual { tell(merged.conflicts, merged.repaired) }
    if common == nil, !isVirtual { ours.noteMergeWithoutBase(type) }
    if !merged.conflicts.isEmpty { throw ExitCode.found }
  }

  private func merged<Known: Model>(
    _ base: SnapshotContent<Known>?, _ ours: SnapshotContent<Known>, _ theirs: SnapshotContent<Known>
  ) throws -> SnapshotContent<Known>.Merged {
    // The result is no store. The merge for which it is the base settles its own.
    if isVirtual {
      return SnapshotContent.merging(base: base ?? SnapshotContent(Known()), ours: ours, theirs: theirs, policy: .base)
    }
    do {
      // Without a common base, the dates of the properties decide better.
      return try SnapshotContent.settledMerge(ofBase: base, ours: ours, theirs: theirs)
    } catch {
      let failure = CommandFailure(error)
      throw CommandFailure(
        "the schema refuses the merge of both sides:\n\(failure.message)\n"
          + "Nothing was written. Repair the version of OURS or of THEIRS, and merge again.", failure.exitCode)
    }
  }

  private func tell(_ conflicts: [MergeConflict], _ repaired: [Violation]) {
    for repaired in repaired { Terminal.error.printLine("repaired: \(repaired)".forTerminal) }
    for conflict in conflicts { Terminal.error.printLine("! \(conflict)".forTerminal) }
    if conflicts.isEmpty { return }
    Terminal.error.printLine(
      "The file can be opened, with the version of OURS for each conflict (!). Add what you want of THEIRS, then “git add” it."
    )
  }

  private func write<Known: Model>(_ content: SnapshotContent<Known>, over bytes: [UInt8]) throws {
    let format = try SnapshotHeader(of: bytes).format
    guard !FileName.isStream(output), try FileName.url(output) == FileName.url(ours) else {
      let output = FileOutput(path: output, replaces: replaces)
      return try output.write(content, as: FileFormat(fileName: output.path) ?? format)
    }
    let merged = try SnapshotFile.encode(content, as: format)
    if merged != bytes {
      let url = try FileName.url(ours)
      try CommandFailure.creating {
        try waitingForOthers { try SnapshotFile.replace(bytes, with: merged, at: url, waitingAtMost: $0) }
      }
    }
  }
}
