import Synchronization

/// Those who wait until a revision is durable, without asking for a save.
final class DurabilityWaiters: Sendable {
  private struct State: Sendable {
    var waiters: [Int: (revision: Int, continuation: CheckedContinuation<Void, any Error>)] = [:]
    var lastID = 0
    var isFinished = false
  }

  private let state = Mutex(State())

  var isFree: Bool { state.isFree }

  /// Waits.
  ///
  /// - Parameter durable: gives the revision that is durable by now.
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
        // After this, so that whatever happened in between is seen here or tells those who wait.
        reached(durable())
        if isFinished { finish() }
        if Task.isCancelled { cancel(id) }
      }
    } onCancel: {
      cancel(id)
    }
  }

  /// A revision is durable.
  func reached(_ durable: Int) {
    let done = state.withLock { state in
      let done = state.waiters.filter { $0.value.revision <= durable }
      for id in done.keys { state.waiters[id] = nil }
      return done.values.map(\.continuation)
    }
    for continuation in done { continuation.resume() }
  }

  /// Nothing will be saved any more.
  func finish() {
    let left = state.withLock { state in
      state.isFinished = true
      defer { state.waiters = [:] }
      return state.waiters.values.map(\.continuation)
    }
    for continuation in left {
      continuation.resume(throwing: SnapshotError(.closed, "the store was closed before it had this revision"))
    }
  }

  private func cancel(_ id: Int) {
    let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
    waiter?.continuation.resume(throwing: CancellationError())
  }
}
