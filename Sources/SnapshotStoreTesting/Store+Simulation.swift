public import SnapshotFoundation
public import SnapshotStore

/// Stores on a simulated disk.
extension Store {
  /// Opens a store on a simulated disk and clock. Everything else is as in `open(at:options:)`, which has the same
  /// code.
  ///
  /// By default the store logs nothing, because the disk fails on purpose. `StoreOptions()` logs to standard error.
  ///
  /// - Parameters:
  ///   - url: a path on the simulated disk, in an existing directory; `/` always exists.
  ///   - options: as for `open(at:options:)`.
  ///   - disk: the disk that has the file.
  ///   - clock: the clock that decides when the store saves.
  /// - Throws: `SnapshotError`.
  public static func open(
    at url: URL, options: StoreOptions = StoreOptions(log: { _ in }), on disk: SimulatedDisk,
    clock: ManualClock = ManualClock()
  ) throws -> Store {
    try open(at: url, options: options, fileSystem: disk.fileSystem, scheduler: clock.scheduler)
  }

  /// Changes the value in a file on a simulated disk in one short session. While another store has the file open, it
  /// does not wait but throws `locked` at once.
  ///
  /// - Throws: the errors of `body`; `SnapshotError`.
  @discardableResult
  public static func update<Result>(
    at url: URL, options: StoreOptions = StoreOptions(log: { _ in }), on disk: SimulatedDisk,
    clock: ManualClock = ManualClock(), _ body: (inout Root) throws -> Result
  ) throws -> Result {
    try update(
      at: url, options: options, waitingAtMost: .zero, fileSystem: disk.fileSystem, scheduler: clock.scheduler, body)
  }
}
