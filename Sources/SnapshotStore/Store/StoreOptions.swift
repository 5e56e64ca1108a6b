/// How a store is opened.
public struct StoreOptions: Sendable {
  /// When the file is written.
  public var policy: SavePolicy
  /// Whether a file that is not there is made; otherwise opening throws `fileNotFound`, as it does for reading only.
  public var createsFile: Bool
  /// The format of a new file; nil takes it from the extension, and JSON if that says nothing. A file that is there keeps
  /// its format.
  public var format: FileFormat?
  /// What is refused for its size or depth.
  public var limits: ReadLimits
  /// The most threads that opening may decode on; nil means as many as the machine has processors. Saving takes one less, so
  /// that transactions go on beside it. Records are decoded and encoded on several threads at once, so their `init(from:)`
  /// and `encode(to:)` must not rely on being called on one.
  public var threads: Int?

  /// The default options, with changes.
  public init(
    policy: SavePolicy = .automatic(), createsFile: Bool = true, format: FileFormat? = nil,
    limits: ReadLimits = ReadLimits(), threads: Int? = nil
  ) {
    self.policy = policy
    self.createsFile = createsFile
    self.format = format
    self.limits = limits
    self.threads = threads
  }
}

/// What a store has saved, is saving, and failed to save, at one moment.
public struct StoreStatus: Sendable {
  /// The latest revision.
  public let revision: Int
  /// The latest revision that is in the file and synced.
  public let durableRevision: Int
  /// Whether a save is running.
  public let isSaving: Bool
  /// Why the last save failed; nil once one has succeeded.
  public let lastError: SnapshotError?
  /// How much has been saved so far.
  public let counters: SaveCounters

  init(revision: Int, saver: SaverStatus) {
    self.revision = revision
    durableRevision = saver.durableRevision
    isSaving = saver.isSaving
    lastError = saver.lastError
    counters = saver.counters
  }

  /// Whether there are changes that are not in the file.
  public var isDirty: Bool { revision > durableRevision }
}
