import Dispatch
import Synchronization

/// Holds writers back for a short time, so that a block that was overtaken repeatedly succeeds. It is not a lock.
/// Writers continue when the time is over, because the block may be waiting for one of them.
final class RightOfWay: Sendable {
  /// The thread with the right of way; 0 for none.
  private let thread = Atomic<UInt>(0)
  private let deadline = Atomic<UInt64>(0)
  private let users = DispatchGroup()

  /// Runs `body` while other threads wait in `giveWay()`, up to a time limit. If another thread has the right of way,
  /// they do not wait for this one.
  func take<Result>(for time: DispatchTimeInterval, _ body: () throws -> Result) rethrows -> Result {
    let identity = currentThreadIdentity()
    guard thread.compareExchange(expected: 0, desired: identity, ordering: .sequentiallyConsistent).exchanged else {
      return try body()
    }
    // Only the holder sets the deadline, so that another block cannot hold writers back for longer.
    deadline.store((DispatchTime.now() + time).uptimeNanoseconds, ordering: .relaxed)
    users.enter()
    defer {
      thread.store(0, ordering: .sequentiallyConsistent)
      users.leave()
    }
    return try body()
  }

  /// Waits while another thread has the right of way.
  func giveWay() {
    let holder = thread.load(ordering: .relaxed)
    if holder == 0 || holder == currentThreadIdentity() { return }
    _ = users.wait(timeout: DispatchTime(uptimeNanoseconds: deadline.load(ordering: .relaxed)))
  }
}
