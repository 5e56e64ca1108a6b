extension Notebook {
  /// Deletes notes and leaves a tombstone for each; ids without a note are passed over. Tags and attachments stay.
  ///
  /// Returns the ids of the notes that were deleted, in the order given.
  @discardableResult
  public mutating func deleteNotes(_ ids: some Sequence<Note.ID>) -> [Note.ID] {
    let date = sources.now()
    let deleted = notes.remove(boxes: Array(ids)).map(\.record.id)
    let tombstones = deleted.sorted().map { RecordBox(DeletedNote(id: $0, deletionDate: date)) }
    // Tombstones have no unique index, so there is nothing to refuse.
    try? deletedNotes.put(tombstones)
    return deleted
  }

  /// Deletes a tag and takes it off its notes.
  ///
  /// - Throws: ``SnapshotError`` with code `recordNotFound`.
  public mutating func deleteTag(_ id: Tag.ID) throws {
    guard tags.remove(id) != nil else { throw Self.notFound("tag", id) }
    let date = sources.now()
    for note in notes.records(in: Note.byTag, at: id) {
      try notes.update(note.id) { $0.setTags($0.tags.filter { $0 != id }, at: date) }
    }
  }

  /// Deletes an attachment and takes it off its notes.
  ///
  /// - Throws: ``SnapshotError`` with code `recordNotFound`.
  public mutating func deleteAttachment(_ id: Attachment.ID) throws {
    guard attachments.remove(id) != nil else { throw Self.notFound("attachment", id) }
    let date = sources.now()
    for note in notes.records(in: Note.byAttachment, at: id) {
      try notes.update(note.id) { $0.setAttachments($0.attachments.filter { $0 != id }, at: date) }
    }
  }
}
