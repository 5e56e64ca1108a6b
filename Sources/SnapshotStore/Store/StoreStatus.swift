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
  /// Why no older version of the file could be kept when one was last due; nil if it was kept.
  public let generationError: SnapshotError?

  /// How long the store waits after the last change before it saves, by now: ten times as long as the last save took, but not
  /// less than the `delay` of the policy, and not more than its `maxDelay`. Zero with the policy `immediate`; nil with those that
  /// save only when asked, or never, and for a store in memory.
  public let saveDelay: Duration?
  /// How long it takes at most, from the moment of this status on, until a save begins that holds the oldest change that is not
  /// saved, whatever else is changed until then. That change is in the file once this save is done: ``lastSaveTook`` later, if it
  /// takes as long as the last one.
  ///
  /// Zero while a save runs; what is changed meanwhile is saved by the next one. After a failure, the time of the next attempt. Nil
  /// if nothing is unsaved, and if nothing will be saved before somebody asks for it.
  public let savesWithin: Duration?
  /// How long the last save took, whether or not it failed; zero before the first one.
  public let lastSaveTook: Duration

  init(revision: Int, saver: SaverStatus) {
    self.revision = revision
    durableRevision = saver.durableRevision
    isSaving = saver.isSaving
    lastError = saver.lastError
    counters = saver.counters
    generationError = saver.generationError
    saveDelay = saver.delay
    savesWithin = saver.savesWithin
    lastSaveTook = saver.lastSaveTook
  }

  /// Whether there are changes that are not in the file.
  public var isDirty: Bool { revision > durableRevision }
}
