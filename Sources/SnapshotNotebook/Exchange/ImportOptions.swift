import SnapshotStore

/// Options of an import.
public struct ImportOptions: Sendable {
  /// The rule for an imported note whose id exists here with other content.
  public enum Conflict: String, CaseIterable, Sendable {
    /// The existing note stays as it is.
    case skip
    /// The existing note gets everything that the file gives.
    case change
    /// The note is added with a new id: for files whose ids come from another program.
    case add
  }

  /// The rule for an imported note whose id exists here with other content.
  public var conflicts: Conflict
  /// The number of notes per batch, at least 1. Progress is reported between batches.
  let batchSize: Int

  /// Options. By default existing notes stay as they are.
  public init(conflicts: Conflict = .skip) { self.init(conflicts: conflicts, batchSize: 10_000) }

  init(conflicts: Conflict = .skip, batchSize: Int) {
    self.conflicts = conflicts
    self.batchSize = max(1, batchSize)
  }
}

/// The progress of an import.
///
/// ```swift
/// try store.write { notebook in
///   try notebook.importContent(content) { progress in
///     print("\(progress.finishedNotes) of \(content.notes.count)")
///   }
/// }
/// ```
public struct ImportProgress: Sendable {
  /// The number of notes of the file that were processed.
  public let finishedNotes: Int
  /// The report so far.
  public let report: ImportReport
}
