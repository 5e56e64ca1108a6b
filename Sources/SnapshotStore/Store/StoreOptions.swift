/// The options for opening a store.
///
/// ```swift
/// var options = StoreOptions()
/// options.policy = .automatic(delay: .seconds(1), maxDelay: .seconds(10))
/// options.recovery = .generations      // for a damaged file, its last version
/// options.externalChanges = .merge     // changes of other programs are merged
/// let store = try Store<Dashboard>.open(at: url, options: options)
/// ```
public struct StoreOptions: Sendable {
  /// The times at which the file is written.
  public var policy: SavePolicy
  /// Whether to create a missing file. If false, and for reading only, opening throws `fileNotFound`.
  public var createsFile: Bool
  /// Whether to create missing folders on the way to a file that may be created. They are for the user alone (mode
  /// 0700). By default opening throws `fileNotFound`, because a path may be misspelled.
  public var createsFolders: Bool
  /// Whether other processes may have the file open for writing. By default they may not.
  public var access: StoreAccess
  /// The format of a new file. Nil takes it from the extension, or JSON for an unknown extension. An existing file
  /// keeps its format.
  public var format: FileFormat?
  /// The limits for size and depth.
  public var limits: ReadLimits
  /// The most threads that decode when the store is opened; nil means the number of processors. A save uses one less,
  /// so that transactions can continue. Records are decoded and encoded on several threads at once. So their
  /// `init(from:)` and `encode(to:)` must not rely on a single thread.
  public var threads: Int?
  /// How long opening for writing waits while another store has the file open. By default it does not wait.
  public var lockTimeLimit: Duration
  /// Whether to open the file for reading only if it cannot be opened for writing. Another store may have it open, or
  /// the folder may not be writable. ``Store/openReport`` then has the reason. By default, opening fails.
  public var fallsBackToReadOnly: Bool
  /// Whether to open a file of a newer schema version for reading only. Unknown content is left out, and listed in
  /// ``Store/openReport``. The newer program may have the file open at the same time. By default, opening fails with
  /// `newerVersion` or `locked`.
  public var readsNewerVersions: Bool
  /// The policy for generations. By default three are kept, at least an hour apart.
  public var generations: Generation.Policy
  /// Whether changes are saved to a journal first, so that a save costs what changed. By default there is none.
  public var journal: JournalPolicy
  /// The sources that may replace a damaged file. By default there are none.
  public var recovery: Recovery
  /// The reaction to an external change of the file while the store is open. By default the next save fails. A store
  /// that shares its file merges by default. It always merges what other stores that share the file have saved.
  public var externalChanges: ExternalChange.Policy
  /// The winner where this store and another one that shares the file have changed the same property. By default it is
  /// this store. What the other side had is kept beside the file; see ``ExternalChange/merged(_:kept:)``.
  public var mergePolicy: MergePolicy
  /// Called after an external change. A change that the store does not take in is told once. It must not wait for the
  /// store to save: ``Store/flushAndWait(folding:)`` fails there with code `wouldDeadlock`.
  ///
  /// It runs on a background thread of the store, or on the thread of a call that saves or looks at the file. Such
  /// calls are ``Store/flushAndWait(folding:)``, ``Store/suspendAndWait(flushing:)`` and ``Store/closeAndWait()``. They
  /// return after it.
  public var onExternalChange: (@Sendable (ExternalChange) -> Void)?
  /// Whether SIGTERM, SIGINT (Ctrl-C) and SIGHUP (a closed terminal) end the process only after every store is saved.
  /// `exit` and the end of `main` always wait for that.
  ///
  /// A signal is left alone if the program handles or ignores it when the first such store is opened. The process ends
  /// by the same signal. SIGKILL, `_exit`, `abort` and crashes save nothing.
  public var flushesOnSignals: Bool
  /// Receives messages that no caller waits for, each a line of text. An example: the process ends with changes that
  /// could not be saved. By default they go to standard error. It is called on any thread, and must not wait for
  /// another.
  public var log: @Sendable (String) -> Void

  /// The default options with changes. Without `log`, messages go to standard error.
  public init(
    policy: SavePolicy = .automatic(), access: StoreAccess = .exclusive, createsFile: Bool = true,
    createsFolders: Bool = false, format: FileFormat? = nil,
    limits: ReadLimits = ReadLimits(), threads: Int? = nil, lockTimeLimit: Duration = .zero,
    fallsBackToReadOnly: Bool = false, readsNewerVersions: Bool = false,
    generations: Generation.Policy = Generation.Policy(), journal: JournalPolicy = .none, recovery: Recovery = .none,
    externalChanges: ExternalChange.Policy = .fail, mergePolicy: MergePolicy = .ours,
    onExternalChange: (@Sendable (ExternalChange) -> Void)? = nil,
    flushesOnSignals: Bool = false, log: (@Sendable (String) -> Void)? = nil
  ) {
    self.policy = policy
    self.access = access
    self.createsFile = createsFile
    self.createsFolders = createsFolders
    self.format = format
    self.limits = limits
    self.threads = threads
    self.lockTimeLimit = lockTimeLimit
    self.fallsBackToReadOnly = fallsBackToReadOnly
    self.readsNewerVersions = readsNewerVersions
    self.generations = generations
    self.journal = journal
    self.recovery = recovery
    self.externalChanges = externalChanges
    self.mergePolicy = mergePolicy
    self.onExternalChange = onExternalChange
    self.flushesOnSignals = flushesOnSignals
    self.log = log ?? Self.printToStandardError
  }

  private static func printToStandardError(_ message: String) {
    let line = "SnapshotStore: \(message.escapedForMessage(limit: .max))\n"
    try? POSIXFileSystem().writeAll(Array(line.utf8), to: .standardError)
  }
}
