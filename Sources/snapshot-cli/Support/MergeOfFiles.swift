import SnapshotNotebook
import SnapshotStore

/// The result of merging two contents.
typealias MergedContent = (content: NotebookContent, conflicts: [MergeConflict], mended: [Violation])

/// Merges two sides of a file that were made from one base, as git's merge driver.
///
/// The result is written as a whole or not at all. It can always be opened: it contains no conflict markers. A conflict
/// keeps the value of OURS.
struct MergeOfFiles {
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
    let bytes = try DumpFile.bytes(ours)
    let content: NotebookContent = try SnapshotFile.decodeContent(from: bytes, path: DumpFile.name(ours))
    let base = try DumpFile.readVersion(ifAny: base)
    let merge = try merging(base, content, try DumpFile.read(theirs))
    try write(merge.content, over: bytes)
    if !isVirtual { tell(merge) }
    if !merge.conflicts.isEmpty { throw ExitCode.found }
  }

  /// Without a common base, the dates of the properties decide better.
  private func merging(_ base: NotebookContent?, _ ours: NotebookContent, _ theirs: NotebookContent) throws
    -> MergedContent
  {
    let common = base ?? (isVirtual ? NotebookContent(Notebook()) : nil)
    guard let common else { return NotebookContent.merging(ours: ours, theirs: theirs) }
    return NotebookContent.merging(base: common, ours: ours, theirs: theirs, policy: isVirtual ? .base : .ours)
  }

  private func tell(_ merge: MergedContent) {
    for mended in merge.mended { Terminal.error.printLine("mended: \(mended)".forTerminal) }
    for conflict in merge.conflicts { Terminal.error.printLine("! \(conflict)".forTerminal) }
    if merge.conflicts.isEmpty { return }
    Terminal.error.printLine(
      "The file can be opened, with the version of OURS for each conflict (!). Add what you want of THEIRS, then “git add” it."
    )
  }

  private func write(_ content: NotebookContent, over bytes: [UInt8]) throws {
    let format = try SnapshotSummary(of: bytes).format
    guard output != "-", try DumpFile.url(output) == DumpFile.url(ours) else {
      let format = FileFormat(fileName: output) ?? format
      return try DumpFile.write(content, to: output, as: format, replacing: replaces)
    }
    let merged = try SnapshotFile.encode(content, as: format)
    if merged != bytes {
      try Failure.creating { try SnapshotFile.replace(bytes, with: merged, at: DumpFile.url(ours)) }
    }
  }
}
