import Synchronization

/// The followers of the state of saving. They are notified of a change, and then read the state. So they always get the
/// newest one, whichever thread notified first.
final class StatusFollowers: Sendable {
  private struct State: Sendable {
    var followers: [Int: AsyncStream<Void>.Continuation] = [:]
    var lastID = 0
    var isFinished = false
  }

  private let state = Mutex(State())

  var isFree: Bool { state.isFree }

  /// A stream with one element now, and one for all changes since the previous element was taken. It ends when saving
  /// ends.
  func makeStream() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    continuation.yield()
    let id: Int? = state.withLock { state in
      if state.isFinished { return nil }
      state.lastID += 1
      state.followers[state.lastID] = continuation
      return state.lastID
    }
    if let id {
      continuation.onTermination = { [weak self] _ in self?.remove(id) }
    } else {
      continuation.finish()
    }
    return stream
  }

  func tell() {
    let followers = state.withLock { $0.followers.isEmpty ? [] : Array($0.followers.values) }
    for follower in followers { follower.yield() }
  }

  /// Ends all streams, because nothing will change any more.
  func finish() {
    let followers = state.withLock { state in
      state.isFinished = true
      defer { state.followers = [:] }
      return Array(state.followers.values)
    }
    for follower in followers { follower.finish() }
  }

  private func remove(_ id: Int) {
    let removed = state.withLock { $0.followers.removeValue(forKey: id) }
    withExtendedLifetime(removed) {}
  }

  deinit { finish() }
}
