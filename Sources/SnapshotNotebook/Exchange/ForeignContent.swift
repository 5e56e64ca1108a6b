import SnapshotStore

/// The content of a file or folder of another program, read but not yet imported.
///
/// ```swift
/// let content = try ForeignContent(csv: bytes)
/// let options = ImportOptions(conflicts: .change)
/// let report = try store.write { try $0.importContent(content, options: options) }
/// print(report.addedNotes, report.changedNotes)
/// for item in report.skipped { print(item.place, item.reason) }
/// ```
public struct ForeignContent: Sendable {
  /// The notes, in the order of the file.
  public var notes: [ForeignNote]
  /// Items that could not be read as notes and are not needed for the others.
  public var skipped: [SkippedItem]
  /// Further remarks, one sentence each.
  public var remarks: [String]
  /// Tags with their spelling and its date.
  var tags: [Tag] = []
  /// Tombstones of deleted notes.
  var deletions: [DeletedNote] = []
  /// The paths, within the folder, of the pictures that notes refer to.
  var picturePaths: [Attachment.ID: String] = [:]

  /// Notes, with the skipped items and remarks for the report of an import.
  public init(
    notes: [ForeignNote] = [], skipped: [SkippedItem] = [], remarks: [String] = []
  ) {
    self.notes = notes
    self.skipped = skipped
    self.remarks = remarks
  }

  /// A remark on columns or keys that no note has.
  static func remark(leftOut names: [String], _ kind: String) -> String {
    let shown = names.prefix(20).map { SnapshotError.quoted($0, limit: 30) }.joined(separator: ", ")
    let more = names.count > 20 ? " and \(names.count - 20) more" : ""
    return names.count == 1
      ? "the \(kind) \(shown) is unknown, and was ignored"
      : "the \(kind)s \(shown)\(more) are unknown, and were ignored"
  }
}

extension Notebook {
  /// Imports content by the rules of ``importNotes(_:options:progress:)``: all of it, or nothing if it throws.
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
