import Dispatch
import Synchronization

/// Lets one transaction run at a time. Traps if a thread would wait for itself, and throws if threads would wait for
/// each other.
@usableFromInline
final class WriterLock: Sendable {
  private let lock = ThreadLock()
  private let owner = Atomic<UInt>(0)
  /// The number of background blocks that run on copies of this lock's value.
  let runningBlocks = Atomic(0)
  /// Work for the time after the transaction of the holder, and whether that has succeeded. Only the holder uses them.
  private nonisolated(unsafe) var work: [() -> Void] = []
  private nonisolated(unsafe) var isCommitted = false
  /// Lets a block succeed that was overtaken repeatedly.
  let rightOfWay = RightOfWay()

  @usableFromInline
  init() {}

  /// Runs `body` while no other thread holds the lock.
  ///
  /// - Throws: the errors of `body`; ``SnapshotError`` with code `wouldDeadlock`.
  @inlinable
  func withLock<Result>(_ body: () throws -> Result) throws -> Result {
    try begin()
    defer { end() }
    return try body()
  }

  /// The same with a time limit. It gives up at once if this thread holds the lock. For the saver, because a
  /// transaction may be waiting for it.
  ///
  /// Further transactions give way to it for a short time. Without that, several writers without a pause would leave no
  /// moment at which the lock is free.
  func withLock<Result>(waitingAtMost limit: Duration, _ body: () throws -> Result) rethrows -> Result? {
    if isHeldByThisThread { return nil }
    let hasLock =
      lock.lockIfAvailable() || rightOfWay.take(for: .milliseconds(50)) { lock.lock(waitingAtMost: limit) }
    if !hasLock { return nil }
    owner.store(currentThreadIdentity(), ordering: .relaxed)
    defer { end() }
    return try body()
  }

  // Only this thread stores its own number, so no memory order is needed.
  var isHeldByThisThread: Bool { owner.load(ordering: .relaxed) == currentThreadIdentity() }

  @usableFromInline
  func begin() throws {
    requireNotHeld()
    HeldLock.requireNone("a writer lock was taken")
    rightOfWay.giveWay()
    if !lock.lockIfAvailable() { try LockWaits.wait(for: self) { lock.lock() } }
    owner.store(currentThreadIdentity(), ordering: .relaxed)
  }

  /// Traps inside a transaction that holds this lock. Also traps inside a background block, which works on a copy.
  /// Otherwise the trap would depend on the timing of other writers.
  func requireNotHeld() {
    if runningBlocks.load(ordering: .relaxed) != 0, BackgroundBlock.isOnThisThread(self) {
      fatalError(
        "Store.write or commit was called inside of performBackground on the same store. Change the value that the "
          + "block is given instead.")
    }
    guard isHeldByThisThread else { return }
    fatalError(
      "Store.write, commit or close was called inside of Store.write on the same store. Make one transaction of the two: "
        + "pass the value that the outer one is given to a function that changes it.")
  }

  /// Ends the lock, and then does the work that the transaction has left if it has succeeded.
  @usableFromInline
  func end() {
    // What is not done is freed outside the lock, too.
    let (left, isDone) = (work, isCommitted)
    if !left.isEmpty { work = [] }
    isCommitted = false
    owner.store(0, ordering: .relaxed)
    lock.unlock()
    if isDone { for work in left { work() } }
    withExtendedLifetime(left) {}
  }

  /// Adds work for the time after the transaction of this thread. Traps if it has none.
  func afterCommit(_ work: @escaping () -> Void) {
    guard isHeldByThisThread else {
      fatalError(
        "Store.afterCommit was called outside of Store.write on the same store. Call it inside the closure of write. "
          + "performBackground has a completion instead.")
    }
    self.work.append(work)
  }

  /// The transaction of the holder has succeeded.
  @usableFromInline
  func commit() { isCommitted = true }

  /// The thread that holds the lock; 0 for none.
  fileprivate var holder: UInt { owner.load(ordering: .relaxed) }
}

/// Records the lock that each thread waits for. It detects threads that wait for each other, because transactions on
/// several stores may be nested in any order.
private enum LockWaits {
  private static let waits = SmallLock<[UInt: WriterLock]>([:])

  /// - Throws: ``SnapshotError`` with code `wouldDeadlock` if the holder of the lock waits, directly or indirectly, for
  ///   this thread.
  static func wait(for lock: WriterLock, _ body: () -> Void) throws(SnapshotError) {
    let thread = currentThreadIdentity()
    // A thread has noted the locks that it holds before it comes here. So the last thread of a circle sees the whole
    // circle.
    let isCircle = waits.withLock { waits in
      var next: WriterLock? = lock
      while let holder = next?.holder, holder != 0 {
        if holder == thread { return true }
        next = waits[holder]
      }
      waits[thread] = lock
      return false
    }
    if isCircle {
      throw SnapshotError(
        .wouldDeadlock, "another thread changes this store and waits for one that this thread is changing",
        advice: "Nest transactions on several stores in one order everywhere, or do not nest them; then try again.")
    }
    body()
    waits.withLock { $0[thread] = nil }
  }
}
