import Synchronization

/// The callers that wait until a revision is durable. They do not request a save.
///
/// A save that completes no wait costs O(1), however many wait. A completed wait costs O(log n).
final class DurabilityWaiters: Sendable {
  private struct State: Sendable {
    /// The waits by their revisions.
    var waits = Agenda<Int, Ticket<Result<Void, SnapshotError>>>()
    var isFinished = false
  }

  private let waiters = SmallLock(State())

  var isFree: Bool { waiters.isFree }

  /// The number of waits, for tests.
  var count: Int { waiters.withLock { $0.waits.count } }

  /// Waits until a revision is durable.
  ///
  /// - Parameter durable: returns the latest durable revision.
  /// - Throws: `CancellationError`; `closed` if the revision will never be durable.
  func wait(through revision: Int, durable: () -> Int) async throws {
    let ticket = Ticket<Result<Void, SnapshotError>>()
    let id = waiters.withLock { $0.isFinished ? nil : $0.waits.add(ticket, at: revision) }
    defer { if let id { _ = waiters.withLock { $0.waits.remove(id) } } }
    // Checked after the waiter was added, so that no event in between is missed.
    if durable() >= revision { return }
    if id == nil { throw Self.closed }
    guard let result = await ticket.wait() else { throw CancellationError() }
    try result.get()
  }

  /// Resumes the callers that wait for a revision up to `durable`. Called at each commit, under the writer lock, and
  /// after each save.
  func reached(_ durable: Int) {
    let done = waiters.withLock { $0.waits.takeAll(through: durable) }
    for ticket in done { ticket.answer(.success(())) }
  }

  /// Ends all waits, because no further save will follow.
  func finish() {
    let all = waiters.withLock { state in
      state.isFinished = true
      return state.waits.removeAll()
    }
    for ticket in all { ticket.answer(.failure(Self.closed)) }
  }

  private static var closed: SnapshotError {
    SnapshotError(.closed, "the store was closed before this revision was saved")
  }
}
