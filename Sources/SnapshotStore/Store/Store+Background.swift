import Dispatch
import SnapshotFoundation

/// Changes that take long.
extension Store {
  /// How often a block runs before it fails because other writers were quicker each time.
  private static var attempts: Int { 7 }

  /// How long other writers are held back during a run of a block; runs count from 0. Short blocks need no more time.
  /// Long blocks must not have more, because they may be waiting for one of these writers.
  private static func rightOfWay(_ attempt: Int) -> DispatchTimeInterval? {
    attempt < 3 ? nil : .milliseconds(5 << (2 * (attempt - 3)))
  }

  /// Changes the value in one transaction, on a background thread, and returns the result of `body`.
  ///
  /// Other transactions need not wait for `body`, in contrast to ``write(origin:_:)``. It works on a copy, whose
  /// changes are then merged with those of other writers.
  ///
  /// - If others changed the same properties meanwhile, to whatever values, `body` runs again on the newer value. So it
  ///   may repeat its side effects outside the value.
  /// - From the fourth run on, writers are held back for 5, 20, 80 and 320 milliseconds, so that a short block
  ///   succeeds. The seventh run is the last.
  /// - A value that `body` only reads may have changed when its changes are merged.
  ///
  /// Blocks on one store run one after the other, in their order. A block may be started inside another one, on its
  /// thread or in a task of it. The inner block also comes after the outer one. But if the outer block waits for the
  /// inner one, the inner one runs beside it after a quarter of a second. It then works on the value without the outer
  /// block's changes. `body` must not wait for blocks that it starts in any other way, for example on a queue. It may
  /// wait for threads that write to the store. A write to the store by `body` itself traps.
  ///
  /// Closing the store first completes all blocks that were started before. The end of the process waits for them for
  /// ten seconds.
  ///
  /// - Throws: the errors of ``write(origin:_:)``; ``TransactionRefusal`` if others changed the same properties during
  ///   each run; `CancellationError` if the task was cancelled before the change was made.
  @discardableResult
  public func performBackground<Result: Sendable>(
    origin: Origin = .local, _ body: @escaping @Sendable (inout Root) throws -> Result
  ) async throws -> Result {
    let isCancelled = CancellationFlag()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        performBackground(origin: origin) { value in
          if isCancelled.isSet { throw CancellationError() }
          let result = try body(&value)
          if isCancelled.isSet { throw CancellationError() }
          return result
        } completion: {
          continuation.resume(with: $0)
        }
      }
    } onCancel: {
      isCancelled.set()
    }
  }

  /// The same for synchronous code.
  ///
  /// - Parameters:
  ///   - origin: the origin of the change.
  ///   - body: changes the value; see ``performBackground(origin:_:)``.
  ///   - completion: called on a background thread once the transaction has succeeded or failed. Other blocks do not
  ///     wait for it, so it may wait for them, and may close the store. Completions are called in the order of their
  ///     blocks. If one takes longer than a quarter of a second, the next one overtakes it. Without a completion, an
  ///     error is sent to ``StoreOptions/log``.
  public func performBackground<Result: Sendable>(
    origin: Origin = .local, _ body: @escaping @Sendable (inout Root) throws -> Result,
    completion: (@Sendable (Swift.Result<Result, any Error>) -> Void)? = nil
  ) {
    let block = BackgroundBlock(of: writerLock)
    background.add(mayOvertake: block.isWaitedFor) {
      let result: Swift.Result<Result, any Error> = Swift.Result { try self.makeBeside(origin, block, body) }
      block.end()
      if let completion {
        self.completions.add(mayOvertake: { true }) { completion(result) }
      } else if case .failure(let error) = result {
        self.log("\(self.name): a background block failed: \(Self.text(error))")
      }
    }
  }

  /// Returns when all blocks that were started before have succeeded or failed.
  ///
  /// - Throws: ``SnapshotError`` with code `wouldDeadlock` inside such a block.
  func waitForBackground() throws(SnapshotError) {
    try requireOutsideOfBlocks()
    background.wait()
  }

  /// The same without blocking the thread.
  func waitForBackground() async throws {
    try requireOutsideOfBlocks()
    if background.isIdle { return }
    await withCheckedContinuation { continuation in background.add { continuation.resume() } }
  }

  /// Waits for the blocks when the process ends. It waits at most ten seconds, because a block may be waiting for the
  /// thread that ends the process.
  ///
  /// - Returns: whether all blocks have ended.
  static func finishBlocks(_ background: OrderedJobs, _ lock: WriterLock) -> Bool {
    // Inside a block there is nothing to wait for, because the block cannot continue.
    !lock.isHeldByThisThread && !BackgroundBlock.surrounds(lock) && background.wait(until: .now() + 10)
  }

  private func requireOutsideOfBlocks() throws(SnapshotError) {
    if BackgroundBlock.surrounds(writerLock) {
      throw SnapshotError(
        .wouldDeadlock, "a background block would wait for its own end: closing a store waits for its blocks",
        advice: "Close the store in the completion of the block, or outside of it.", path: url?.path)
    }
  }

  private var name: String { url?.lastPathComponent.escapedForMessage() ?? "a store in memory" }

  private static func text(_ error: any Error) -> String {
    (error as? SnapshotError)?.message ?? "\(error)".escapedForMessage(limit: 1_000)
  }

  private func makeBeside<Result>(
    _ origin: Origin, _ block: BackgroundBlock, _ body: (inout Root) throws -> Result
  ) throws -> Result {
    var attempt = 0
    while true {
      do {
        guard let time = Self.rightOfWay(attempt) else { return try attemptBeside(origin, block, body) }
        return try writerLock.rightOfWay.take(for: time) { try attemptBeside(origin, block, body) }
      } catch let overtaken as OvertakenBlock {
        attempt += 1
        if attempt == Self.attempts { throw overtaken.refusal }
      }
    }
  }

  private func attemptBeside<Result>(
    _ origin: Origin, _ block: BackgroundBlock, _ body: (inout Root) throws -> Result
  ) throws -> Result {
    let before = try latestForWriting()
    var draft = before.value
    let result = try block.run { try body(&draft) }
    var change = MergedChange(draft, madeFrom: before.value, policy: .fail, isTransaction: true) { change in
      let overtaken = OvertakenBlock(change)
      if overtaken.refusal != TransactionRefusal() { throw overtaken }
    }
    try publish(&change, onto: before, origin: origin)
    return result
  }
}

/// Others have changed the same content as a block, which may run again.
private struct OvertakenBlock: Error {
  var refusal = TransactionRefusal()

  init<Root>(_ change: MergedChange<Root>) {
    refusal.conflicts = change.conflicts
    refusal.violations = change.repaired
    if change.areOtherPropertiesInConflict {
      refusal.violations.append(
        Violation(place: Root.schema.name, message: "others have changed properties beside its tables too"))
    }
  }
}
