import SnapshotFoundation

/// Waiting for saves, and the end of a store.
extension Store {
  /// Returns once every earlier change is durable. Starts a save if one is needed.
  ///
  /// Durable means: in the file or in its journal, which is synced, and so is the directory. A store that shares its
  /// file may have to drop a change because of what others have saved. That change is then in a file beside it, synced
  /// too; see ``ExternalChange/merged(_:kept:)`` and ``ExternalChange/rejected(_:kept:)``.
  ///
  /// - Parameter folding: whether to wait until everything is in the file itself, not in a journal. Without a
  ///   ``StoreOptions/journal`` it makes no difference.
  /// - Throws: ``SnapshotError`` if the save of these changes failed. They stay in memory, and are saved again later as
  ///   the policy says.
  public func flush(folding: Bool = false) async throws {
    guard let saver else { return }
    let revision = revision
    try await withCheckedThrowingContinuation { continuation in
      saver.flush(through: revision, folding: folding) { continuation.resume(with: $0) }
    }
  }

  /// ``flush(folding:)`` for synchronous code: blocks the thread.
  ///
  /// - Throws: the errors of ``flush(folding:)``. In code that a save calls, such as ``StoreOptions/onExternalChange``,
  ///   ``SnapshotError`` with code `wouldDeadlock`. The save then follows that code.
  public func flushAndWait(folding: Bool = false) throws {
    try saver?.flushAndWait(through: revision, folding: folding).get()
  }

  /// Waits until a revision is in the file and synced. It does not request a save, but waits for the save of the
  /// policy.
  ///
  /// - Throws: `CancellationError`; ``SnapshotError`` with code `closed` if the store is closed before the revision was
  ///   saved. A failed save is not an error here, because it is repeated.
  public func durable(through revision: Int) async throws {
    try await saver?.durable(through: revision)
  }

  /// Waits for the background blocks that were started before, flushes, and then refuses changes. Reads are still
  /// possible. Closing a closed store does nothing.
  ///
  /// - Throws: the errors of `flush`; the store then stays open with its unsaved changes. ``SnapshotError`` with code
  ///   `wouldDeadlock` inside a background block.
  public func close() async throws {
    resume()
    try await waitForBackground()
    repeat {
      let isFirst = try beginClosing()
      do {
        try await flush(folding: foldsAtEnd())
        if looksBeforeClosing { await checkFile() }
      } catch {
        if isFirst { _ = core.move(from: .closing, to: .open) }
        throw error
      }
    } while try !endClosing()
  }

  /// ``close()`` for synchronous code: blocks the thread.
  ///
  /// If a background block waits for this thread, both wait for ever. `DispatchQueue.main.sync` does so for the main
  /// thread. Use ``close()`` in programs with such blocks, because it blocks no thread.
  public func closeAndWait() throws {
    resume()
    try waitForBackground()
    repeat {
      let isFirst = try beginClosing()
      do {
        try flushAndWait(folding: saver?.inTurn { saver?.foldsAtEnd } == true)
        if looksBeforeClosing { checkFileAndWait() }
      } catch {
        if isFirst { _ = core.move(from: .closing, to: .open) }
        throw error
      }
    } while try !endClosing()
  }

  private func foldsAtEnd() async -> Bool {
    guard let saver else { return false }
    if let folds = saver.turn.runIfFree({ saver.foldsAtEnd }) { return folds }
    return await withCheckedContinuation { continuation in
      saver.betweenSaves { continuation.resume(returning: saver.foldsAtEnd) }
    }
  }

  /// Waits for the running transaction, and refuses further ones.
  private func beginClosing() throws -> Bool {
    try writerLock.withLock { core.move(from: .open, to: .closing) }
  }

  /// Whether the store is now closed. It is not if another `close` failed meanwhile and opened it again.
  private func endClosing() throws -> Bool {
    let isClosing = try writerLock.withLock { durableRevision >= revision && core.move(from: .closing, to: .closed) }
    if isClosing {
      replaceWatching(with: Watching())
      saver?.close()
      observers.finish()
    }
    return core.phase == .closed
  }
}
