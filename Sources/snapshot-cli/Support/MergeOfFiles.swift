import SnapshotNotebook
import SnapshotStore

/// What comes of two contents that are brought together.
typealias MergedContent = (content: NotebookContent, conflicts: [MergeConflict], mended: [Violation])

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
  /// Whether the result is only what git merges others by, because the two sides have several common ancestors (“criss-cross”). What
  /// both changed is then as it was before. With one side's value, git would find that the other side alone changed it since, and take
  /// that without a word.
  let isVirtual: Bool

  /// Git's conflict markers have seven characters; eight where both sides are renamed files. Each merge inside of a merge adds two.
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

  /// Without anything in common, the dates of the properties say more.
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
      "The file can be opened, and has OURS of this (!). Take over by hand what you want of THEIRS, then “git add” it.")
  }

  private func write(_ content: NotebookContent, over bytes: [UInt8]) throws {
    let format = try SnapshotSummary(of: bytes).format
    guard output != "-", try DumpFile.url(output) == DumpFile.url(ours) else {
      let format = FileFormat(fileName: output) ?? format
      return try DumpFile.write(content, to: output, as: format, replacing: replaces)
    }
    let merged = try SnapshotFile.encode(content, as: format).bytes
    if merged != bytes {
      try Failure.creating { try SnapshotFile.replace(bytes, with: merged, at: DumpFile.url(ours)) }
    }
  }
}
