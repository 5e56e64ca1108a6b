import SnapshotStore

/// Imports: all notes, or none.
extension Notebook {
  /// Imports notes of another program: all of them, or nothing if it throws. O((n + m) log n).
  ///
  /// - A note whose id exists here is skipped if everything that the format gives is the same; otherwise `options`
  ///   decide. A note that was deleted here stays deleted.
  /// - A note without an id gets a new one, unless a note with the same text and creation date exists. If the format
  ///   gives no date, the same text is enough. So importing a file twice adds nothing. Equal notes within the file are
  ///   different notes.
  /// - Tags are found by their names, or made. An existing attachment with the same id stays.
  /// - A note without a creation date gets its sort date, or its earliest other date, or the current date. Other
  ///   missing values are unknown.
  ///
  /// In a store it is one transaction and one undo step.
  ///
  /// - Parameters:
  ///   - notes: the notes; iterated once.
  ///   - options: the rule for existing notes with other content.
  ///   - progress: called after each batch. If it throws, for example a `CancellationError`, the import ends and the
  ///     notebook is unchanged.
  /// - Throws: `SnapshotError` with code `invalidValue` for a negative id, a date that is not finite, or an empty tag
  ///   name. Its `dataPath` is the place of the note. Also the errors of `progress`.
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
