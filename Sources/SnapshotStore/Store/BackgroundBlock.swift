import Synchronization

/// A block that changes a store in the background. What is begun inside of it knows it: on its thread, and in tasks that it starts.
final class BackgroundBlock: Sendable {
  @TaskLocal private static var current: BackgroundBlock?

  /// By what the store is known.
  private let lock: WriterLock
  /// The block inside of which this one was begun, if that one has not ended.
  private let outer: BackgroundBlock?
  /// The thread that runs the block; 0 for none.
  private let thread = Atomic<UInt>(0)
  private let isOver = Atomic(false)

  /// A block that is begun now, on the store of a lock.
  init(of lock: WriterLock) {
    self.lock = lock
    var outer = Self.current
    // Those that have ended are not kept: each may have begun the next.
    while let block = outer, block.isOver.load(ordering: .relaxed) { outer = block.outer }
    self.outer = outer
  }

  /// Runs what the block does to a copy of the value.
  func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    thread.store(currentThreadIdentity(), ordering: .relaxed)
    lock.runningBlocks.add(1, ordering: .relaxed)
    defer {
      thread.store(0, ordering: .relaxed)
      lock.runningBlocks.subtract(1, ordering: .relaxed)
    }
    return try Self.$current.withValue(self, operation: body)
  }

  /// Says that the block will not run again.
  func end() { isOver.store(true, ordering: .relaxed) }

  /// Tells whether a block of the same store, inside of which this one was begun, runs and so may be waiting for it. Nil if it was begun
  /// outside of all blocks.
  var isWaitedFor: (@Sendable () -> Bool)? {
    guard let outer else { return nil }
    return { [lock] in outer.running(on: lock) != nil }
  }

  /// Whether the caller is inside of a block of a store that runs: on its thread, or in a task that it has started.
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

  /// The nearest block of a store that runs, from this one outwards.
  private func running(on lock: WriterLock) -> BackgroundBlock? {
    self.lock === lock && thread.load(ordering: .relaxed) != 0 ? self : outer?.running(on: lock)
  }
}
