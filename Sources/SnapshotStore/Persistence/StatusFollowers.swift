import Synchronization

/// The followers of the state of saving. They are notified of a change, and then read the state. So they always get the
/// newest one, whichever thread notified first.
final class StatusFollowers: Sendable {
  private let followers = SmallLock(Registry<AsyncStream<Void>.Continuation>())

  var isFree: Bool { followers.isFree }

  /// A stream with one element now, and one for all changes since the previous element was taken. It ends when saving
  /// ends.
  func makeStream() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    continuation.yield()
    if let id = followers.withLock({ $0.add(continuation) }) {
      continuation.onTermination = { [weak self] _ in self?.remove(id) }
    } else {
      continuation.finish()
    }
    return stream
  }

  func tell() {
    let followers = followers.withLock { $0.all }
    for follower in followers { follower.yield() }
  }

  /// Ends all streams, because nothing will change any more.
  func finish() {
    for follower in followers.withLock({ $0.finish() }) { follower.finish() }
  }

  private func remove(_ id: Int) { _ = followers.withLock { $0.remove(id) } }

  deinit { finish() }
}
