/// Merging of two contents without a merge base.
extension SnapshotContent {
  /// Merges two contents whose base is not known, such as a store and a copy that a sync service put beside it. O(n log
  /// n).
  ///
  /// - A record or property that only one side has is in the result.
  /// - A record that one side removed is not, if its ``Tombstone`` is later than every date of change of the record. A
  ///   whole second counts as its end, because other programs may have removed the fraction. Otherwise, and if a date
  ///   is unknown, the record stays and its tombstone is removed. It is among the repaired ones.
  /// - If both have different values of a property, the later one is taken, by the dates of the merge rules. Where no
  ///   date decides, ours is taken, and the result names the conflict.
  ///
  /// With a base, ``merging(base:ours:theirs:policy:)`` knows which side changed what, and needs no dates.
  public static func merging(
    ours: SnapshotContent, theirs: SnapshotContent
  ) -> (content: SnapshotContent, conflicts: [MergeConflict], repaired: [Violation]) {
    merging(over: SnapshotContent(Root()), ours: ours, theirs: theirs)
  }

  /// The same over a content that stands for the base. It has no records.
  static func merging(
    over base: SnapshotContent, ours: SnapshotContent, theirs: SnapshotContent
  ) -> (content: SnapshotContent, conflicts: [MergeConflict], repaired: [Violation]) {
    var (mine, other) = (ours, theirs)
    RemovedRecords().visit(&mine.value, before: theirs.value)
    RemovedRecords().visit(&other.value, before: ours.value)
    var merged = merging(base: base, ours: mine, theirs: other, policy: .newest)
    // What was left out above may be what a record of the other side refers to.
    let takenBack = merged.content.value.restoreReferencedAsWhole(from: [ours.value, theirs.value])
    if !takenBack.isEmpty { merged.repaired += takenBack + merged.content.value.repairAll() }
    return merged
  }
}

/// Leaves out the records that another copy has removed later, also in the parts of a model.
private struct RemovedRecords: ModelVisitor {
  func visit<Root: Model>(_ value: inout Root, before other: Root) {
    for part in Root.schema.parts { part.hooks.visit(self, &value, before: other) }
    for tombstones in Root.schema.tombstones { tombstones.hooks.leaveOut(&value, removedIn: other) }
  }
}
