import SnapshotStore

/// What a file or a folder of another program holds, read and not yet taken over.
public struct ForeignContent: Sendable {
  /// The notes, in the order of the file.
  public var notes: [ForeignNote]
  /// What could not be read as a note, and is not needed for the others.
  public var skipped: [SkippedItem]
  /// What else is worth saying, one sentence each.
  public var remarks: [String]
  /// Tags with their spelling and its date.
  var tags: [Tag] = []
  /// Notes that were deleted.
  var deletions: [DeletedNote] = []
  /// Where in the folder the pictures are that notes refer to.
  var picturePaths: [Attachment.ID: String] = [:]

  /// Notes, and what the report of an import is to say besides.
  public init(
    notes: [ForeignNote] = [], skipped: [SkippedItem] = [], remarks: [String] = []
  ) {
    self.notes = notes
    self.skipped = skipped
    self.remarks = remarks
  }
}

extension Notebook {
  /// Takes over what a reader found, by the rules of ``importNotes(_:options:progress:)``: all of it or, if it throws,
  /// nothing.
  @discardableResult
  public mutating func importContent(
    _ content: ForeignContent, options: ImportOptions = ImportOptions(),
    progress: (ImportProgress) throws -> Void = { _ in }
  ) throws -> ImportReport {
    var run = NoteImport(into: self, options: options)
    run.take(tags: content.tags)
    try run.take(content.notes, progress: progress)
    try run.take(deletions: content.deletions)
    self = run.notebook
    var report = run.report
    report.skipped = content.skipped + report.skipped
    report.remarks = content.remarks + report.remarks
    return report
  }
}
