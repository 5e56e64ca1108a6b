/// A store of a program that the system may stop for a while.
extension Store {
  /// Prepares for a time in which the system may stop the process, for example in the background of a phone.
  ///
  /// ```swift
  /// try await store.suspend()      // the app goes to the background
  /// store.resume()                 // it comes back
  /// ```
  ///
  /// Until ``resume()`` the store saves nothing, looks at no change of others, and sets no timer. It has no file open,
  /// and is not watching. Reads and changes are possible, and stay in memory. `flush` fails with code `suspended`. The
  /// normal end of the process and `close` save nevertheless.
  ///
  /// A store that shares its file has no lock then. An exclusive one keeps the lock and its open file: choose
  /// ``StoreAccess/shared`` if the system ends programs that are stopped with a lock.
  ///
  /// - Parameter flushing: whether to save first.
  /// - Throws: the errors of ``flush(folding:)``. The store is suspended nevertheless.
  public func suspend(flushing: Bool = true) async throws {
    let use = saver?.schedule.use
    var failure: (any Error)?
    if flushing {
      do { try await flush() } catch { failure = error }
    }
    if let use { await end(use) }
    if let failure { throw failure }
  }

  /// ``suspend(flushing:)`` for synchronous code: blocks the thread.
  public func suspendAndWait(flushing: Bool = true) throws {
    let use = saver?.schedule.use
    let saved = Result { if flushing { try flushAndWait() } }
    if let saver, let use, core.phase != .closed { saver.inTurn { end(use, saver) } }
    try saved.get()
  }

  /// Saves again, and looks now at what others have saved meanwhile. Does nothing if the store is not suspended.
  ///
  /// A call of `suspend` that is still saving does not suspend the store any more.
  public func resume() {
    guard let saver else { return }
    let wasSuspended = saver.isSuspended
    saver.resume()
    // In the turn, so that it comes behind the end of the use before.
    if wasSuspended { saver.betweenSaves { [weak self] in self?.watchAgain() } }
  }

  private func watchAgain() {
    if core.phase != .closed, saver?.isSuspended == false { beginWatching() }
  }

  private func end(_ use: Int) async {
    guard let saver, core.phase != .closed else { return }
    await withCheckedContinuation { continuation in
      saver.betweenSaves {
        self.end(use, saver)
        continuation.resume()
      }
    }
  }

  /// Called in the saver's turn.
  private func end(_ use: Int, _ saver: Saver<Root>) {
    if saver.suspend(endingUse: use) { replaceWatching(with: Watching()) }
  }
}
