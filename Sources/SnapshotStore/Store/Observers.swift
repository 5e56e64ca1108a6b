import Synchronization

/// The streams that a store's change sets go to.
final class Observers<Root: Model>: Sendable {
  private typealias Continuation = AsyncStream<ChangeSet<Root>>.Continuation

  private struct State: Sendable {
    var continuations: [Int: Continuation] = [:]
    var lastID = 0
    var isFinished = false
  }

  private let state = Mutex(State())

  func makeStream() -> AsyncStream<ChangeSet<Root>> {
    let (stream, continuation) = AsyncStream.makeStream(of: ChangeSet<Root>.self)
    let id = state.withLock { state -> Int? in
      if state.isFinished { return nil }
      state.lastID += 1
      state.continuations[state.lastID] = continuation
      return state.lastID
    }
    guard let id else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.continuations.removeValue(forKey: id) }
    }
    return stream
  }

  /// Called under the writer lock, so that every stream has the order of the transactions.
  func notify(_ makeChangeSet: () -> ChangeSet<Root>) {
    let continuations = state.withLock { $0.continuations.isEmpty ? [] : Array($0.continuations.values) }
    if continuations.isEmpty { return }
    let changeSet = makeChangeSet()
    for continuation in continuations { continuation.yield(changeSet) }
  }

  func finish() {
    let continuations = state.withLock { state in
      state.isFinished = true
      return Array(state.continuations.values)
    }
    for continuation in continuations { continuation.finish() }
  }

  deinit { finish() }
}
