import SnapshotStore

/// Copies of notes that were edited elsewhere come back.
extension Notebook {
  /// Saves a copy of a note that was edited elsewhere, without undoing what has happened to the note meanwhile.
  ///
  /// A note is a plain struct. Take it out, keep it as it was as the base, edit a copy on any thread for as long as you like, with
  /// nothing locked, and merge it back:
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
  /// Each property (text, archived, sort date, tags, attachments) is taken for itself. What the copy has changed since its base
  /// is taken, with its modification date, unless the notebook has changed the same property at a later date; what it has not
  /// changed stays as the notebook has it. Of tags and attachments that both have changed, each one counts for itself. Tags and attachments that the notebook has deleted since the base come off
  /// the copy as well. A copy with nothing to save changes nothing at all. `upsert` puts the copy back as a whole instead.
  ///
  /// The two must be versions of one note; anything else is a programmer error and traps.
  ///
  /// - Returns: the note as it is now, and what both had changed, so that nothing is lost unseen.
  /// - Throws: `SnapshotError` with code `recordNotFound` if the note was deleted meanwhile (`upsert` brings it back), or if a
  ///   tag or an attachment that the copy has gained does not exist; `invalidValue` if a date is not finite. Nothing is
  ///   changed then.
  @discardableResult
  public mutating func merge(detached copy: Note, base: Note) throws -> NoteMerge {
    precondition(copy.id == base.id, "Notebook.merge(detached:base:) was given two different notes")
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
