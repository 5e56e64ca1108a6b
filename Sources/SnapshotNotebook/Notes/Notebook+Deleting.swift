import SnapshotStore

/// Deletions, and the tombstones that they leave.
extension Notebook {
  /// Deletes notes and leaves a tombstone for each. Ids without a note are ignored. Tags stay.
  ///
  /// With `withAttachments`, attachments that were only on these notes are deleted too.
  ///
  /// - Returns: the ids of the deleted notes, in the given order.
  @discardableResult
  public mutating func deleteNotes(_ ids: some Sequence<Note.ID>, withAttachments: Bool = false) -> [Note.ID] {
    let before = self
    let deleted = notes.remove(boxes: Array(ids))
    updateTombstones(since: before)
    if withAttachments {
      let orphans = Set(deleted.flatMap(\.record.attachments)).filter {
        notes.count(in: Note.byAttachment, at: $0) == 0
      }
      attachments.remove(orphans)
    }
    return deleted.map(\.record.id)
  }

  /// Deletes the notes that pass a test, with a tombstone for each.
  ///
  /// - Returns: the ids of the deleted notes, ascending.
  /// - Throws: the errors of the test; the notebook is then unchanged.
  @discardableResult
  public mutating func deleteNotes(
    withAttachments: Bool = false, where isMeant: (Note) throws -> Bool
  ) rethrows -> [Note.ID] {
    deleteNotes(try notes.filter(isMeant).map(\.id), withAttachments: withAttachments)
  }

  /// Deletes a tag and removes it from its notes.
  ///
  /// - Throws: `SnapshotError` with code `recordNotFound`.
  public mutating func deleteTag(_ id: Tag.ID) throws {
    guard tags.contains(id) else { throw Self.notFound("tag", id) }
    try changeNotes(Array(notes(tagged: id))) { $0.removeTag(id, at: $1) }
    tags.remove(id)
  }

  /// Deletes an attachment and removes it from its notes.
  ///
  /// - Throws: `SnapshotError` with code `recordNotFound`.
  public mutating func deleteAttachment(_ id: Attachment.ID) throws {
    guard attachments.contains(id) else { throw Self.notFound("attachment", id) }
    try changeNotes(Array(notes.records(in: Note.byAttachment, at: id))) { $0.removeAttachments([id], at: $1) }
    attachments.remove(id)
  }
}
