import Synchronization

/// Those who follow the state of saving. They are told that it is another one, and ask for it when they come to it: so what
/// they get is the newest, whichever thread was first to tell.
final class StatusFollowers: Sendable {
  private struct State: Sendable {
    var followers: [Int: AsyncStream<Void>.Continuation] = [:]
    var lastID = 0
    var isFinished = false
  }

  private let state = Mutex(State())

  var isFree: Bool { state.isFree }

  /// An element for the state of now, and one for whatever has changed since the one before was taken. Ends with the saving.
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

  /// Nothing will change any more.
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
