public import SnapshotStore

/// Two notebooks without a common base become one.
extension Notebook {
  /// What comes of two notebooks of which nobody knows what both were made from, such as a store and a copy that a sync
  /// service put beside it: everything that is in either, but for what the other deleted later.
  ///
  /// Each property of a note, and the spelling of a tag, is as the side has it that changed it later; so says
  /// ``merge(_:policy:)``, and so it is with deletions. But what differs without a date to decide by stays as ours has it, and
  /// is among the conflicts, because here is somebody to tell: so does a note that one side deleted within the second in
  /// which the other changed it, and a note of ours that theirs deleted nobody knows when. With what both were made from at hand,
  /// `merging(base:ours:theirs:)` knows who changed what, and needs no dates. O(n log n).
  public static func merging(
    ours: Notebook, theirs: Notebook
  ) -> (value: Notebook, conflicts: [MergeConflict], mended: [Violation]) {
    var merge = SyncMerge(into: ours, by: .newestOrOurs)
    merge.take(SyncContent(theirs))
    var value = merge.result()
    // Either may be a file from elsewhere, with ids that lead nowhere.
    let mended = value.mendAfterLosses()
    return (value, merge.conflicts, mended)
  }
}

extension SnapshotContent<Notebook> {
  /// The same for all that two files hold, see ``Notebook/merging(ours:theirs:)``: with all that is unknown in either.
  public static func merging(
    ours: SnapshotContent, theirs: SnapshotContent
  ) -> (content: SnapshotContent, conflicts: [MergeConflict], mended: [Violation]) {
    var content = ours
    let unknown = content.mergeUnknown(from: theirs)
    let merged = Notebook.merging(ours: ours.value, theirs: theirs.value)
    content.value = merged.value
    return (content, merged.conflicts + unknown, merged.mended)
  }
}
