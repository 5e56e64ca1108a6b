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

/// The state of saving, as a value and as a sequence.
extension Store {
  /// The saved revision, the running save and the last failure.
  public var status: StoreStatus { Self.status(core, saver) }

  /// The state of saving, as an asynchronous sequence: the current state, and then the newest state after each change.
  ///
  /// Each access to this property is a separate subscription. A consumer that falls behind receives only the newest
  /// state. The sequence ends when the store is closed, or is deallocated and saved. It does not keep the store alive.
  /// For a store in memory it has one state, and ends.
  ///
  /// An app can use it to show a full disk, which is no error of `write`:
  ///
  /// ```swift
  /// for await status in store.statuses {
  ///   if let error = status.lastError { show("not saved: \(error)") }
  ///   show(status.isDirty ? "edited" : "saved")
  /// }
  /// ```
  public var statuses: StoreStatus.Updates {
    let (core, saver) = (core, saver)
    return StoreStatus.Updates(changes: saver?.makeStatusStream() ?? .one) { Self.status(core, saver) }
  }

  private static func status(_ core: Core, _ saver: Saver<Root>?) -> StoreStatus {
    // The saver is read first, so that its durable revision is never newer than the value's.
    let progress = saver?.progress
    return StoreStatus(revision: core.latest.revision, progress, now: saver?.scheduler.now ?? .zero)
  }
}

extension AsyncStream<Void> {
  /// One element, and the end.
  fileprivate static var one: AsyncStream<Void> {
    AsyncStream { continuation in
      continuation.yield()
      continuation.finish()
    }
  }
}

extension StoreStatus {
  /// The sequence of ``Store/statuses``.
  public struct Updates: AsyncSequence, Sendable {
    /// The state of saving at the moment when the element is taken.
    public typealias Element = StoreStatus
    /// The sequence does not fail.
    public typealias Failure = Never

    let changes: AsyncStream<Void>
    let status: @Sendable () -> StoreStatus

    /// Makes an iterator. All iterators of one sequence share its states.
    public func makeAsyncIterator() -> Iterator { Iterator(changes: changes.makeAsyncIterator(), status: status) }

    /// An iterator over states of saving.
    public struct Iterator: AsyncIteratorProtocol {
      var changes: AsyncStream<Void>.AsyncIterator
      let status: @Sendable () -> StoreStatus

      /// The newest state; nil when the store is closed or the task is cancelled.
      public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> StoreStatus? {
        await changes.next(isolation: actor) == nil ? nil : status()
      }
    }
  }
}

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
