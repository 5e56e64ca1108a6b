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
  /// How long opening for writing waits while another store has the file open; by default not at all.
  public var lockTimeLimit: Duration = .zero
  /// Whether a file that cannot be opened for writing, because another store has it or nothing can be written where it is, is
  /// opened for reading only; ``Store/openReport`` then says why. By default, opening fails.
  public var fallsBackToReadOnly = false
  /// Whether a file of a newer version than the schema's is opened for reading only, as far as this program can read it.
  /// What it does not know is left out, and listed in ``Store/openReport``. The newer program may have the file open meanwhile. By
  /// default, opening fails with `newerVersion`, or with `locked`.
  public var readsNewerVersions = false
  /// Which older versions of the file are kept; by default three, at least an hour apart.
  public var generations = GenerationPolicy()
  /// What may be opened in place of a damaged file; by default nothing.
  public var recovery = Recovery.none
  /// What to do when someone else changes the file while the store is open; by default the next save fails.
  public var externalChanges = ExternalChangePolicy.failSave
  /// Called when someone else has changed the file, on a thread of the store's; it must not wait for the store to save.
  public var onExternalChange: (@Sendable (ExternalChange) -> Void)?
  /// Whether SIGTERM and SIGINT end the process only when every store is saved, as `exit` and the end of `main` do anyway.
  ///
  /// A signal that the program handles or ignores itself when the first such store is opened is left to it. The process ends by
  /// the same signal. Nothing helps against SIGKILL, `_exit`, `abort` and crashes.
  public var flushesOnSignals = false
  /// Takes messages that nobody waits for, each a line of text: such as that the process ends with changes that could not be
  /// saved. By default they go to standard error. It is called on any thread, and must not wait for another.
  public var log: @Sendable (String) -> Void = { message in
    let line = "SnapshotStore: \(message.escapedForMessage(limit: .max))\n"
    try? POSIXFileSystem().writeAll(Array(line.utf8), to: .standardError)
  }

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
