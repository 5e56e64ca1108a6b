import SnapshotStore

/// How an import is done.
public struct ImportOptions: Sendable {
  /// What happens to a note whose id is here with other content.
  public enum Conflict: String, CaseIterable, Sendable {
    /// The note that is here stays as it is.
    case skip
    /// The note that is here gets everything that the file gives.
    case change
    /// The note is added with an id of its own: for files whose ids are not ours.
    case add
  }

  /// What happens to a note whose id is here with other content.
  public var conflicts: Conflict
  /// How many notes are taken at a time; between two batches, progress is told.
  public var batchSize: Int

  /// Options; those that are not given leave alone what is here.
  public init(conflicts: Conflict = .skip, batchSize: Int = 10_000) {
    precondition(batchSize > 0, "ImportOptions.batchSize must be at least 1")
    self.conflicts = conflicts
    self.batchSize = batchSize
  }
}

/// How far an import is.
public struct ImportProgress: Sendable {
  /// How many notes of the file have been seen to.
  public let finishedNotes: Int
  /// What has been done so far.
  public let report: ImportReport
}
