import SnapshotStore

/// Imports: all of them, or none.
extension Notebook {
  /// Takes notes over from another program, all of them or, if it throws, nothing. O((n + m) log n).
  ///
  /// - A note with an id that is here: passed over if everything that the format gives is the same; otherwise `options`
  ///   decide. One that was deleted here stays deleted.
  /// - A note without an id gets a new one, unless a note with the same text and creation date is here (the same text,
  ///   if the format gives no date), so that importing a file twice adds nothing. Notes that are the same within the
  ///   file are different notes.
  /// - Tags are found by their names, or made. Of an attachment whose id is here, the one that is here stays.
  /// - A note without a creation date gets its sort date, or the earliest other date, or now. What else is not given is
  ///   not known.
  ///
  /// In a store it is one transaction, and one step of undo.
  ///
  /// - Parameters:
  ///   - notes: the notes; looked at once.
  ///   - options: what happens to notes that are here with other content.
  ///   - progress: called after each batch; what it throws, such as a `CancellationError`, ends the import, and leaves
  ///     the notebook as it was.
  /// - Throws: `SnapshotError` with code `invalidValue` and the place of the note as `dataPath`, for a negative id, a
  ///   date that is not finite, or the name of a tag that is empty; and what `progress` throws.
  @discardableResult
  public mutating func importNotes(
    _ notes: some Sequence<ForeignNote>, options: ImportOptions = ImportOptions(),
    progress: (ImportProgress) throws -> Void = { _ in }
  ) throws -> ImportReport {
    var run = NoteImport(into: self, options: options)
    try run.take(notes, progress: progress)
    self = run.notebook
    return run.report
  }
}
