import Foundation
import Synchronization

/// Lets one transaction run at a time, and traps when a thread would wait for itself.
@usableFromInline
final class WriterLock: Sendable {
  private let lock = NSLock()
  private let owner = Atomic<UInt>(0)

  /// Runs `body` while no other thread does.
  @inlinable
  func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    begin()
    defer { end() }
    return try body()
  }

  /// The same, but gives up after some seconds, and at once if this thread holds the lock: for the saver, which a transaction
  /// may be waiting for.
  func withLock<Result>(waitingAtMost seconds: TimeInterval, _ body: () throws -> Result) rethrows -> Result? {
    let thread = currentThreadIdentity()
    guard owner.load(ordering: .relaxed) != thread, lock.lock(before: Date(timeIntervalSinceNow: seconds)) else {
      return nil
    }
    owner.store(thread, ordering: .relaxed)
    defer { end() }
    return try body()
  }

  @usableFromInline
  func begin() {
    let thread = currentThreadIdentity()
    // Only this thread stores its own number, so no order with other memory is needed.
    if owner.load(ordering: .relaxed) == thread {
      fatalError(
        "Store.write or close was called inside of Store.write on the same store. Make one transaction of the two: pass the "
          + "value that the outer one is given to a function that changes it.")
    }
    lock.lock()
    owner.store(thread, ordering: .relaxed)
  }

  @usableFromInline
  func end() {
    owner.store(0, ordering: .relaxed)
    lock.unlock()
  }
}
