import SnapshotStore

/// What an import did.
public struct ImportReport: Equatable, Sendable {
  /// Notes that were added.
  public var addedNotes = 0
  /// Notes that were here, and were changed.
  public var changedNotes = 0
  /// Notes that were here already, the same.
  public var unchangedNotes = 0
  /// What was not taken over, with the reasons, in the order in which it was met.
  public var skipped: [SkippedItem] = []
  /// Tags that were added.
  public var addedTags = 0
  /// Attachments that were added.
  public var addedAttachments = 0
  /// Tombstones that were added, of notes that were deleted there and are not here.
  public var addedDeletions = 0
  /// What else is worth saying, one sentence each: columns that nobody knows, for example.
  public var remarks: [String] = []

  /// A report of nothing.
  public init() {}
}
