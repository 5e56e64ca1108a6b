import Synchronization

/// The callers that wait until a revision is durable. They do not request a save.
final class DurabilityWaiters: Sendable {
  private struct State: Sendable {
    var waiters: [Int: (revision: Int, continuation: CheckedContinuation<Void, any Error>)] = [:]
    var lastID = 0
    var isFinished = false
  }

  private let state = Mutex(State())

  var isFree: Bool { state.isFree }

  /// Waits until a revision is durable.
  ///
  /// - Parameter durable: returns the latest durable revision.
  /// - Throws: `CancellationError`; `closed` if the revision will never be durable.
  func wait(through revision: Int, durable: () -> Int) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isFinished = state.withLock { state in
          state.waiters[id] = (revision, continuation)
          return state.isFinished
        }
        // Checked after the waiter was added, so that no event in between is missed.
        reached(durable())
        if isFinished { finish() }
        if Task.isCancelled { cancel(id) }
      }
    } onCancel: {
      cancel(id)
    }
  }

  /// Resumes the callers that wait for a revision up to `durable`.
  func reached(_ durable: Int) {
    let done = state.withLock { state in
      let done = state.waiters.filter { $0.value.revision <= durable }
      for id in done.keys { state.waiters[id] = nil }
      return done.values.map(\.continuation)
    }
    for continuation in done { continuation.resume() }
  }

  /// Ends all waits, because no further save will follow.
  func finish() {
    let left = state.withLock { state in
      state.isFinished = true
      defer { state.waiters = [:] }
      return state.waiters.values.map(\.continuation)
    }
    for continuation in left {
      continuation.resume(throwing: SnapshotError(.closed, "the store was closed before this revision was saved"))
    }
  }

  private func cancel(_ id: Int) {
    let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
    waiter?.continuation.resume(throwing: CancellationError())
  }
}
