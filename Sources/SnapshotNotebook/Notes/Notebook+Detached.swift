import SnapshotStore

/// Merging of notes that were edited as detached copies.
extension Notebook {
  /// Saves a detached copy of a note and keeps the changes that the notebook made to the note in between.
  ///
  /// A note is a plain struct. Take it out of the notebook and keep it as the base. Edit a copy on any thread, for any
  /// time, without a lock. Then merge the copy:
  ///
  /// ```swift
  /// let base = store.read { $0.notes[id] }!
  /// var copy = base
  /// copy.setText("Closed on Mondays", at: Date())
  /// copy.addTag(museums.id, at: Date())
  /// // … minutes later; someone else may have archived the note, or rewritten it
  /// let outcome = try store.write { try $0.merge(detached: copy, base: base) }
  /// if outcome.leftOut.contains(.text) { offer(copy.text) }
  /// ```
  ///
  /// Each property (text, archived, sort date, tags, attachments) is merged on its own:
  ///
  /// - A property that the copy has not changed stays as the notebook has it.
  /// - A property that the copy has changed is taken, with its modification date. The exception is a property that the
  ///   notebook has changed at a later date.
  /// - Tags and attachments that both have changed are merged element by element.
  /// - Tags and attachments that the notebook has deleted since the base are removed from the copy as well.
  ///
  /// A copy without changes changes nothing at all. To replace the note as a whole, use `upsert` instead.
  ///
  /// The base and the copy must be versions of one note. Anything else is a programmer error and traps.
  ///
  /// - Returns: the note as it is now, and the properties that both sides had changed.
  /// - Throws: `SnapshotError` with code `recordNotFound` if the note was deleted in between; `upsert` restores it. The
  ///   same code if a tag or an attachment that the copy has gained does not exist. Code `invalidValue` if a date is
  ///   not finite. The notebook is then unchanged.
  @discardableResult
  public mutating func merge(detached copy: Note, base: Note) throws -> NoteMerge {
    if copy.id != base.id {
      fatalError(
        "Notebook.merge(detached:base:) was given two different notes. Give it the note that the copy was made of.")
    }
    guard let note = notes[copy.id] else { throw Self.notFound("note", copy.id) }
    let lostTags = Set(base.tags.filter { !tags.contains($0) })
    let lostAttachments = Set(base.attachments.filter { !attachments.contains($0) })
    func withoutLost(_ note: Note) -> Note {
      var note = note
      note.tags.removeAll(where: lostTags.contains)
      note.attachments.removeAll(where: lostAttachments.contains)
      return note
    }
    let merge = DetachedMerge(copy: withoutLost(copy), base: withoutLost(base), into: note)
    try upsert(merge.result.note)
    return merge.result
  }
}
