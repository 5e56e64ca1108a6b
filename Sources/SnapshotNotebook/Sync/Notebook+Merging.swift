public import SnapshotStore

/// Merging of two notebooks without a merge base.
extension Notebook {
  /// Merges two notebooks without a merge base, such as a store and a copy that a sync service put beside it. O(n log
  /// n).
  ///
  /// The result contains everything that is in either, except what the other side deleted later. Each property of a
  /// note, and the spelling of a tag, comes from the side that changed it later, as with ``merge(_:policy:)``.
  /// Deletions follow the same rule.
  ///
  /// Where no date decides, the result has our value, and the difference is listed as a conflict. That includes a note
  /// that one side deleted within the second in which the other changed it. It also includes our note that the other
  /// side deleted at an unknown date. With a merge base, use `merging(base:ours:theirs:)`: it knows which side changed
  /// what, and needs no dates.
  public static func merging(
    ours: Notebook, theirs: Notebook
  ) -> (value: Notebook, conflicts: [MergeConflict], repaired: [Violation]) {
    var merge = SyncMerge(into: ours, by: .newestOrOurs)
    merge.take(SyncContent(theirs))
    var value = merge.result()
    // Either side may be a file from elsewhere, with references to missing records.
    let repaired = value.repairAll()
    return (value, merge.conflicts, repaired)
  }
}

extension SnapshotContent<Notebook> {
  /// Merges all content of two files, including content that this program does not know. See
  /// ``Notebook/merging(ours:theirs:)``.
  public static func merging(
    ours: SnapshotContent, theirs: SnapshotContent
  ) -> (content: SnapshotContent, conflicts: [MergeConflict], repaired: [Violation]) {
    var content = ours
    let unknown = content.mergeUnknown(from: theirs)
    let merged = Notebook.merging(ours: ours.value, theirs: theirs.value)
    content.value = merged.value
    return (content, merged.conflicts + unknown, merged.repaired)
  }
}
