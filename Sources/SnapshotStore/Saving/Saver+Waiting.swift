import Dispatch
import Synchronization

/// The waits for saves.
extension Saver {
  /// Calls back once all revisions up to this one are durable, or could not be saved.
  ///
  /// - Parameter folding: whether they must be in the file itself.
  func flush(through revision: Int, folding: Bool, _ answer: @escaping @Sendable (SaveWaiters.Result) -> Void) {
    let id = state.withLock { $0.waiters.flushes.insert(answer) }
    handle(.flush(waiter: id, revision: revision, folding: folding))
  }

  /// The same, blocking the thread. In code that the saver waits for, it asks for the save, and fails if it would have
  /// to wait.
  ///
  /// A line of the journal is appended on this thread, if no other is at it. To wake up another one and to be woken up
  /// takes as long as half of the sync.
  func flushAndWait(through revision: Int, folding: Bool) -> Result<Void, SnapshotError> {
    if isIntegrating { return .failure(.waitsForItself(location.path)) }
    let outcome = SmallLock<Result<Void, SnapshotError>>(.success(()))
    let semaphore = DispatchSemaphore(value: 0)
    let id = state.withLock { state in
      state.waiters.flushes.insert { result in
        outcome.withLock { $0 = result }
        semaphore.signal()
      }
    }
    let appends = !folding && hasJournal
    handle(.flush(waiter: id, revision: revision, folding: folding), appendsHere: appends)
    if appends { beginDecidedSave(folding: false) }
    // The answer may come at once. Nobody else gives it while this thread works for the saver.
    if FileWork.isOnThisThread(self), state.withLock({ $0.waiters.flushes.remove(id) }) != nil {
      return .failure(.waitsForItsCaller(location.path))
    }
    semaphore.wait()
    return outcome.withLock { $0 }
  }

  /// Waits until a revision is durable, and asks for no save.
  ///
  /// - Throws: `CancellationError`; `closed` if the revision will never be durable.
  func durable(through revision: Int) async throws {
    let wait = Ticket<SaveWaiters.Result>()
    let (isDurable, id) = state.withLock { state in
      let isDurable = state.schedule.durable >= revision
      return (isDurable, isDurable ? nil : state.waiters.add(wait, through: revision))
    }
    if isDurable { return }
    guard let id else { throw SaveWaiters.closed }
    defer { _ = state.withLock { $0.waiters.removeWait(id) } }
    guard let result = await wait.wait() else { throw CancellationError() }
    try result.get()
  }

  /// A stream with one element now, and one for all changes of the state of saving since the last element was taken. It
  /// ends when no save will follow.
  func makeStatusStream() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    continuation.yield()
    if let id = state.withLock({ $0.waiters.add(continuation) }) {
      continuation.onTermination = { [weak self] _ in _ = self?.state.withLock { $0.waiters.removeFollower(id) } }
    } else {
      continuation.finish()
    }
    return stream
  }
}
