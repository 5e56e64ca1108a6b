import SnapshotStore

/// What a merge did, note by note; all ids ascending.
public struct SyncReport: Equatable, Sendable {
  /// Notes that were not known here.
  public internal(set) var addedNotes: [Note.ID] = []
  /// Notes of which something was taken over.
  public internal(set) var changedNotes: [Note.ID] = []
  /// Notes that were deleted there, and now are here.
  public internal(set) var deletedNotes: [Note.ID] = []
  /// Notes that were deleted here, and are there again because they were changed later.
  public internal(set) var revivedNotes: [Note.ID] = []
  /// Notes that differ and stayed as they are here, and those that were deleted here and stay deleted.
  public internal(set) var keptNotes: [Note.ID] = []
  /// Notes that stay here although they were deleted there, because nobody says when, and the notes have dates.
  /// ``SyncPolicy/incoming`` follows such deletions.
  public internal(set) var ignoredDeletions: [Note.ID] = []
  /// Notes that were deleted there and not known here, or of which it is better known now when they were deleted.
  public internal(set) var rememberedDeletions: [Note.ID] = []
  /// Tags that were added.
  public internal(set) var addedTags: [Tag.ID] = []
  /// Tags whose spelling, or the date of it, was taken over.
  public internal(set) var changedTags: [Tag.ID] = []
  /// Attachments that were added, or, for want of anything else, replaced.
  public internal(set) var addedAttachments: [Attachment.ID] = []
  /// What in the content was not taken over, such as a tag without a name, and why; in the order of the content.
  public internal(set) var skipped: [SkippedItem] = []

  /// Whether the merge changed nothing at all.
  public var isUnchanged: Bool {
    addedNotes.isEmpty && changedNotes.isEmpty && deletedNotes.isEmpty && revivedNotes.isEmpty
      && rememberedDeletions.isEmpty && addedTags.isEmpty && changedTags.isEmpty && addedAttachments.isEmpty
  }
}
