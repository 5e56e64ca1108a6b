import Synchronization

/// The lock of a file that several processes have open.
extension Saver {
  /// Runs `body` with the lock, once the store has taken in what others have saved. A store that has the file alone has
  /// the lock anyway.
  ///
  /// Called in the saver's turn. What the program is told of others' changes, it is told when they have the lock again.
  ///
  /// - Parameters:
  ///   - patience: how long to wait for another process.
  ///   - body: is given what was taken in, if the program is told of it.
  /// - Throws: `locked`; `closed`; `changedExternally` if what is in the file cannot be taken in; the errors of reading
  ///   it.
  func withFileLock<Outcome>(
    waiting patience: LockPatience, _ body: (ExternalChange?) throws(SnapshotError) -> Outcome
  ) throws(SnapshotError) -> Outcome {
    let session = file.session
    if isSuspended { throw SaveSchedule.suspended.at(path: location.path) }
    if isIntegrating { throw SnapshotError.waitsForItself(location.path) }
    guard isShared, !session.holdsLock else { return try body(nil) }
    if life.isOver { throw SnapshotError(.closed, "the store is closed", path: location.path) }
    try session.take(waiting: patience)
    defer {
      session.releaseLock()
      let now = scheduler.now
      state.withLock { $0.lockReleased = now }
      tellReports()
    }
    let change = try refusingFlushes { Result { () throws(SnapshotError) in try integrate() } }.get()
    session.lock?.noteKnown()
    return try body(change)
  }

  /// The time since the last save of a shared file, or look at it; nil before the first one.
  var timeSinceRelease: Duration? {
    let released = state.withLock { $0.lockReleased }
    return released.map { scheduler.now - $0 }
  }

  /// Runs code in the turn that takes in the changes of others. Rules, validations and merge policies run meanwhile. A
  /// flush in them would wait for the end of this code.
  func refusingFlushes<Outcome>(_ body: () -> Outcome) -> Outcome {
    let before = integrating.exchange(currentThreadIdentity(), ordering: .relaxed)
    defer { integrating.store(before, ordering: .relaxed) }
    return body()
  }

  /// Whether this thread runs such code. Only this thread stores its own number, so no memory order is needed.
  var isIntegrating: Bool { integrating.load(ordering: .relaxed) == currentThreadIdentity() }

  private func integrate() throws(SnapshotError) -> ExternalChange? {
    if let result = state.withLock({ $0.othersSaves })?() { return try result.get() }
    // The store was deallocated, so nobody can take in anything.
    if !file.mayHaveNews { return nil }
    throw SnapshotError(
      .changedExternally, "another process has saved since, and the store was deallocated without close()",
      path: location.path)
  }

  var isSuspended: Bool { schedule.isSuspended }

  /// Saves and looks no more, and closes the files that are not needed for the lock of an exclusive store. Called in
  /// the turn of the saver.
  ///
  /// - Parameter use: the one that ends. If the store was resumed since, it is not suspended.
  /// - Returns: whether the store is suspended.
  func suspend(endingUse use: Int) -> Bool {
    handle(.suspended(use: use))
    if isSuspended { file.session.closeFiles() }
    return isSuspended
  }

  /// Saves again.
  func resume() { handle(.resumed) }

  /// Whether the end of the store writes the journal to the file. Others who have it open do that later.
  var foldsAtEnd: Bool { !file.session.isOpenElsewhere }

  /// Runs code of the program outside the turn, or later if this session has a lock that others wait for.
  func tell(_ report: @escaping @Sendable () -> Void) {
    if isShared, file.session.holdsLock {
      state.withLock { $0.reports.append(Callback(report)) }
    } else {
      outsideTurn(report)
    }
  }

  private func tellReports() {
    let waiting = state.withLock { state in
      defer { state.reports = [] }
      return state.reports
    }
    if !waiting.isEmpty { outsideTurn { for report in waiting { report() } } }
  }
}

extension SnapshotError {
  /// The error of a flush that would wait for the end of the code that calls it.
  static func waitsForItself(_ path: String) -> SnapshotError {
    SnapshotError(
      .wouldDeadlock, "a flush waits for what others have saved, and that waits for the code that calls the flush",
      advice: "Flush outside of transactions, rules, validations and merge policies.", path: path)
  }

  /// The error of a flush in the code that a save or a look at the file has called.
  static func waitsForItsCaller(_ path: String) -> SnapshotError {
    SnapshotError(
      .wouldDeadlock, "a flush waits for the store to save, and the store waits for the code that calls the flush",
      advice: "Do not wait in onExternalChange, log, rules and merge policies. The changes are saved afterwards.",
      path: path)
  }
}
