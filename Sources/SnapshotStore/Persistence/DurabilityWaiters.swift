import Synchronization

/// The callers that wait until a revision is durable. They do not request a save.
final class DurabilityWaiters: Sendable {
  private struct Waiter: Sendable {
    let revision: Int
    let ticket: Ticket<Result<Void, SnapshotError>>
  }

  private let waiters = SmallLock(Registry<Waiter>())

  var isFree: Bool { waiters.isFree }

  /// Waits until a revision is durable.
  ///
  /// - Parameter durable: returns the latest durable revision.
  /// - Throws: `CancellationError`; `closed` if the revision will never be durable.
  func wait(through revision: Int, durable: () -> Int) async throws {
    let ticket = Ticket<Result<Void, SnapshotError>>()
    let id = waiters.withLock { $0.add(Waiter(revision: revision, ticket: ticket)) }
    defer { if let id { _ = waiters.withLock { $0.remove(id) } } }
    // Checked after the waiter was added, so that no event in between is missed.
    if durable() >= revision { return }
    if id == nil { throw Self.closed }
    guard let result = await ticket.wait() else { throw CancellationError() }
    try result.get()
  }

  /// Resumes the callers that wait for a revision up to `durable`.
  func reached(_ durable: Int) {
    let done = waiters.withLock { waiters in waiters.removeAll { $0.revision <= durable } }
    for waiter in done { waiter.ticket.answer(.success(())) }
  }

  /// Ends all waits, because no further save will follow.
  func finish() {
    for waiter in waiters.withLock({ $0.finish() }) { waiter.ticket.answer(.failure(Self.closed)) }
  }

  private static var closed: SnapshotError {
    SnapshotError(.closed, "the store was closed before this revision was saved")
  }
}
