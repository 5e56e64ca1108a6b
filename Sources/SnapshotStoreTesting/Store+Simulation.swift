public import SnapshotFoundation
public import SnapshotStore

/// Stores on a simulated disk.
extension Store {
  /// Opens a store on a simulated disk and clock. All else is as in `open(at:options:)`, the same code included.
  ///
  /// - Parameter url: a place on the simulated disk, in a directory that is there; `/` always is.
  /// - Throws: `SnapshotError`.
  public static func open(
    at url: URL, options: StoreOptions = StoreOptions(), on disk: SimulatedDisk, clock: ManualClock = ManualClock()
  ) throws -> Store {
    try open(at: url, options: options, fileSystem: disk.fileSystem, scheduler: clock.scheduler)
  }

  /// Changes the value in a file on a simulated disk in one short session. While another store has the file open it does not
  /// wait, but throws `locked` at once.
  ///
  /// - Throws: what `body` throws; `SnapshotError`.
  @discardableResult
  public static func update<Result>(
    at url: URL, options: StoreOptions = StoreOptions(), on disk: SimulatedDisk, clock: ManualClock = ManualClock(),
    _ body: (inout Root) throws -> Result
  ) throws -> Result {
    try update(
      at: url, options: options, waitingAtMost: .zero, fileSystem: disk.fileSystem, scheduler: clock.scheduler, body)
  }
}
