import Synchronization

/// A block that changes a store in the background. Work that it starts, on its thread or in its tasks, can find it.
final class BackgroundBlock: Sendable {
  @TaskLocal private static var current: BackgroundBlock?

  /// The lock that identifies the store.
  private let lock: WriterLock
  /// The block in which this one was started, if that one has not ended.
  private let outer: BackgroundBlock?
  /// The thread that runs the block; 0 for none.
  private let thread = Atomic<UInt>(0)
  private let isOver = Atomic(false)

  /// A new block, on the store of a lock.
  init(of lock: WriterLock) {
    self.lock = lock
    var outer = Self.current
    // Blocks that have ended are not held. Otherwise a chain of blocks, each started by the previous one, would grow.
    while let block = outer, block.isOver.load(ordering: .relaxed) { outer = block.outer }
    self.outer = outer
  }

  /// Runs the block on a copy of the value.
  func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    thread.store(currentThreadIdentity(), ordering: .relaxed)
    lock.runningBlocks.add(1, ordering: .relaxed)
    defer {
      thread.store(0, ordering: .relaxed)
      lock.runningBlocks.subtract(1, ordering: .relaxed)
    }
    return try Self.$current.withValue(self, operation: body)
  }

  /// Notes that the block will not run again.
  func end() { isOver.store(true, ordering: .relaxed) }

  /// Returns a test whether the block waits for this one: a running block of the same store in which this one was
  /// started. Nil if this one was started outside all blocks.
  var isWaitedFor: (@Sendable () -> Bool)? {
    guard let outer else { return nil }
    return { [lock] in outer.running(on: lock) != nil }
  }

  /// Whether the caller is inside a running block of a store: on its thread, or in a task that it has started.
  static func surrounds(_ lock: WriterLock) -> Bool { current?.running(on: lock) != nil }

  /// Whether this thread runs a block of a store.
  static func isOnThisThread(_ lock: WriterLock) -> Bool {
    var block = current
    while let next = block {
      if next.lock === lock, next.thread.load(ordering: .relaxed) == currentThreadIdentity() { return true }
      block = next.outer
    }
    return false
  }

  /// The innermost running block of a store, from this one outwards.
  private func running(on lock: WriterLock) -> BackgroundBlock? {
    self.lock === lock && thread.load(ordering: .relaxed) != 0 ? self : outer?.running(on: lock)
  }
}
