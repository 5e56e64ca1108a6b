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
    var failure: (any Error)?
    if flushing {
      do { try await flush() } catch { failure = error }
    }
    await endUse()
    if let failure { throw failure }
  }

  /// ``suspend(flushing:)`` for synchronous code: blocks the thread.
  public func suspendAndWait(flushing: Bool = true) throws {
    let saved = Result { if flushing { try flushAndWait() } }
    if let saver, core.phase != .closed { endUse(saver) }
    try saved.get()
  }

  /// Saves again, and looks now at what others have saved meanwhile. Does nothing if the store is not suspended.
  public func resume() {
    guard let saver, saver.isSuspended else { return }
    saver.resume()
    beginWatching()
    lookSoon()
  }

  private func endUse() async {
    guard let saver, core.phase != .closed else { return }
    await withCheckedContinuation { continuation in
      saver.betweenSaves {
        self.endUse(saver)
        continuation.resume()
      }
    }
  }

  private func endUse(_ saver: Saver<Root>) {
    saver.suspend()
    replaceWatching(with: Watching())
  }
}
