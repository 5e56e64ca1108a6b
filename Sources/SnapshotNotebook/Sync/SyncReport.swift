import SnapshotStore

/// The effects of a merge, note by note; all ids ascending.
public struct SyncReport: Equatable, Sendable {
  /// Notes that this notebook did not have.
  public internal(set) var addedNotes: [Note.ID] = []
  /// Notes with properties that were taken over.
  public internal(set) var changedNotes: [Note.ID] = []
  /// Notes that the other side had deleted and that were deleted here.
  public internal(set) var deletedNotes: [Note.ID] = []
  /// Notes that were deleted here and exist again, because the other side changed them later.
  public internal(set) var revivedNotes: [Note.ID] = []
  /// Notes that differ and stay as they are here, and notes that stay deleted here.
  public internal(set) var keptNotes: [Note.ID] = []
  /// Notes that stay although the other side deleted them: the date of the deletion is unknown, and the notes have
  /// dates. ``SyncPolicy/theirs`` follows such deletions.
  public internal(set) var ignoredDeletions: [Note.ID] = []
  /// Deletions of notes that this notebook did not have, and deletions whose date is known better now.
  public internal(set) var rememberedDeletions: [Note.ID] = []
  /// Tags that were added.
  public internal(set) var addedTags: [Tag.ID] = []
  /// Tags whose spelling, or its date, was taken over.
  public internal(set) var changedTags: [Tag.ID] = []
  /// Attachments that were added, or replaced with the other side's value.
  public internal(set) var addedAttachments: [Attachment.ID] = []
  /// Items of the content that were not taken over, such as a tag without a name, with the reason; in the order of the
  /// content.
  public internal(set) var skipped: [SkippedItem] = []

  /// Whether the merge changed nothing at all.
  var isUnchanged: Bool {
    addedNotes.isEmpty && changedNotes.isEmpty && deletedNotes.isEmpty && revivedNotes.isEmpty
      && rememberedDeletions.isEmpty && addedTags.isEmpty && changedTags.isEmpty && addedAttachments.isEmpty
  }
}
