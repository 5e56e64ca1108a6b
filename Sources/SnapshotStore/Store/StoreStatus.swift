/// The state of saving at one moment.
public struct StoreStatus: Sendable {
  /// The latest revision.
  public let revision: Int
  /// The latest revision that is in the file and synced.
  public let durableRevision: Int
  /// Whether a save is running.
  public let isSaving: Bool
  /// The reason why the last save failed; nil after a save has succeeded.
  public let lastError: SnapshotError?
  /// The reason why the last due generation could not be kept; nil if it was kept.
  public let generationError: SnapshotError?

  /// How long the store currently waits after the last change before it saves.
  ///
  /// It is ten times the duration of the last save, but at least the `delay` of the policy and at most its `maxDelay`.
  /// Zero with the policy `immediate`. Nil with policies that save only on request or never, and for a store in memory.
  public let saveDelay: Duration?
  /// The longest time from this status until a save of the oldest unsaved change begins, even if further changes
  /// follow. The change is in the file when this save ends, about ``lastSaveTook`` later.
  ///
  /// Zero while a save runs; the next save has the changes made meanwhile. After a failure, the time until the next
  /// attempt. Nil if nothing is unsaved, and if no save will start without a request.
  public let savesWithin: Duration?
  /// The duration of the last save, successful or failed. Zero before the first one.
  public let lastSaveTook: Duration
  let counters: SaveCounters

  /// - Parameter saver: the schedule and the history of the saver; nil for a store in memory.
  init(revision: Int, _ saver: (schedule: SaveSchedule, history: SaveHistory)?, now: Duration) {
    let (schedule, history) = (saver?.schedule, saver?.history)
    self.revision = revision
    durableRevision = schedule?.durable ?? revision
    isSaving = schedule?.savingSince != nil
    lastError = history?.lastError
    counters = history?.counters ?? SaveCounters()
    generationError = history?.generationError
    saveDelay = schedule?.delay
    savesWithin = schedule?.latestStart.map { max(.zero, $0 - now) }
    lastSaveTook = schedule?.lastSaveTook ?? .zero
  }

  /// The number of saves that wrote the file or its journal since it was opened.
  public var saves: Int { counters.saves }
  /// The number of bytes that these saves wrote.
  public var savedBytes: Int { counters.bytes }
  /// The number of bytes among them that went to the journal: the size of the changes.
  public var journalBytes: Int { counters.journalBytes }
  /// The number of saves that wrote the journal into the file.
  public var folds: Int { counters.folds }
  /// The number of saves that did not write because the file had the same bytes.
  public var skippedSaves: Int { counters.skipped }
  /// The number of saves that failed.
  public var failedSaves: Int { counters.failures }

  /// Whether there are changes that are not in the file.
  public var isDirty: Bool { revision > durableRevision }
}
