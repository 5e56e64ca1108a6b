import SnapshotStore

/// What no note refers to. Found in the indexes of the notes, without a look at the notes: O(k log n) for k tags or attachments.
///
/// A tag or an attachment that was made for a note that is yet to come is an orphan too: sweep when nobody is at work on one,
/// or add the note in the same transaction.
extension Notebook {
  /// The attachments that are on no note, ascending.
  public func orphanedAttachments() -> [Attachment] {
    attachments.filter { notes.count(in: Note.byAttachment, at: $0.id) == 0 }
  }

  /// The tags that are on no note, archived ones included, ascending.
  public func orphanedTags() -> [Tag] {
    tags.filter { noteCount(tagged: $0.id) == 0 }
  }

  /// Removes the attachments that are on no note, and returns them.
  @discardableResult
  public mutating func sweepOrphanedAttachments() -> [Attachment] {
    attachments.remove(orphanedAttachments().map(\.id))
  }

  /// Removes the tags that are on no note, and returns them.
  @discardableResult
  public mutating func sweepOrphanedTags() -> [Tag] {
    tags.remove(orphanedTags().map(\.id))
  }
}
