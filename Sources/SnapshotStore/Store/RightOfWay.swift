import Dispatch
import Synchronization

/// Holds writers back for a short while, so that one that was overtaken again and again gets through. It is no lock: when the time is
/// over, they go on, and the one that they had to wait for may be waiting for them.
final class RightOfWay: Sendable {
  /// The thread that has it; 0 for none.
  private let thread = Atomic<UInt>(0)
  private let deadline = Atomic<UInt64>(0)
  private let users = DispatchGroup()

  /// Runs `body` while other threads wait in `giveWay()`, at most so long; they do not if another thread has the right.
  func take<Result>(for time: DispatchTimeInterval, _ body: () throws -> Result) rethrows -> Result {
    let identity = currentThreadIdentity()
    guard thread.compareExchange(expected: 0, desired: identity, ordering: .sequentiallyConsistent).exchanged else {
      return try body()
    }
    // Only the one that has the right says until when: another block must not hold writers back for longer.
    deadline.store((DispatchTime.now() + time).uptimeNanoseconds, ordering: .relaxed)
    users.enter()
    defer {
      thread.store(0, ordering: .sequentiallyConsistent)
      users.leave()
    }
    return try body()
  }

  /// Waits while another thread has the right.
  func giveWay() {
    let holder = thread.load(ordering: .relaxed)
    if holder == 0 || holder == currentThreadIdentity() { return }
    _ = users.wait(timeout: DispatchTime(uptimeNanoseconds: deadline.load(ordering: .relaxed)))
  }
}
