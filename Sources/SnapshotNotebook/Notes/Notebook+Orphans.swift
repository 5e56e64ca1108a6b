import SnapshotStore

/// Tags and attachments without a note. They are found in the indexes of the notes: O(k log n) for k tags or
/// attachments.
///
/// A tag or an attachment that was made for a future note is an orphan too. Sweep while no such note is in preparation,
/// or add the note in the same transaction.
extension Notebook {
  /// The attachments without a note, ascending.
  public func orphanedAttachments() -> [Attachment] {
    attachments.filter { notes.count(in: Note.byAttachment, at: $0.id) == 0 }
  }

  /// The tags without a note, active or archived, ascending.
  public func orphanedTags() -> [Tag] {
    tags.filter { noteCount(tagged: $0.id) == 0 }
  }

  /// Removes the attachments without a note and returns them.
  @discardableResult
  public mutating func deleteOrphanedAttachments() -> [Attachment] {
    attachments.remove(orphanedAttachments().map(\.id))
  }

  /// Removes the tags without a note and returns them.
  @discardableResult
  public mutating func deleteOrphanedTags() -> [Tag] {
    tags.remove(orphanedTags().map(\.id))
  }
}
