import Dispatch
import SnapshotFoundation

/// Changes that take a while.
extension Store {
  /// How often a block runs before it fails because others were quicker each time.
  private static var attempts: Int { 7 }

  /// How long others are held back while a block runs for the so many-th time, from 0. Short blocks need no more, long ones must not
  /// have more: they may be waiting for one of those others.
  private static func rightOfWay(_ attempt: Int) -> DispatchTimeInterval? {
    attempt < 3 ? nil : .milliseconds(5 << (2 * (attempt - 3)))
  }

  /// Changes the value in one transaction, on a thread of the store's own, and returns what `body` returns.
  ///
  /// Unlike in ``write(origin:_:)``, other transactions need not wait for `body`, however long it takes: it works on a copy,
  /// whose changes are then merged with what others have done. If they have changed the same properties meanwhile, to whatever values,
  /// `body` runs again on the newer value; so what it does outside of the value it may do more than once. From the fourth time on,
  /// writers are held back for 5, 20, 80 and 320 milliseconds, so that a short block gets through; the seventh time is the last.
  /// What `body` has only read may be another by the time its changes are made.
  ///
  /// Blocks on one store run one after the other, in their order. One that is begun inside of another, on its thread or in a task that it
  /// starts, comes after it too, but does not wait for it for long: where the other waits for it, it runs beside it a quarter of a second
  /// later, on the value without the other's changes. What is begun inside of a block in other ways, for example by a queue, must not be
  /// waited for in it. `body` may wait for threads that write to the store; writing to it itself traps.
  ///
  /// A store that is closed has made all blocks that were begun before. The end of the process waits for them ten seconds.
  ///
  /// - Throws: what ``write(origin:_:)`` throws; ``TransactionRefusal`` if others have changed the same each time;
  ///   `CancellationError` if the task was cancelled before the change was made.
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

  /// The same for code that is not asynchronous.
  ///
  /// - Parameters:
  ///   - origin: who is said to have made the change.
  ///   - body: changes the value; see ``performBackground(origin:_:)``.
  ///   - completion: called on a thread of the store's own once the transaction is made, or has failed. Other blocks do not wait for
  ///     it, so it may wait for them, and close the store. Completions are called in the order of their blocks; one that takes longer
  ///     than a quarter of a second is overtaken by the next. Without one, an error goes to ``StoreOptions/log``.
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
        self.log("\(self.name): a background block was not made: \(Self.text(error))")
      }
    }
  }

  /// Returns when all blocks are made that were begun before, or have failed.
  ///
  /// - Throws: ``SnapshotError`` with code `wouldDeadlock` inside of such a block.
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

  /// Waits for the blocks when the process ends: ten seconds at most, since one of them may be waiting for the thread that ends it.
  ///
  /// - Returns: whether all have ended.
  static func finishBlocks(_ background: OrderedJobs, _ lock: WriterLock) -> Bool {
    // In a block, there is nothing to wait for: it does not go on.
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

/// Others have changed the same as a block, which may run again.
private struct OvertakenBlock: Error {
  var refusal = TransactionRefusal()

  init<Root>(_ change: MergedChange<Root>) {
    refusal.conflicts = change.conflicts
    refusal.violations = change.mended
    if change.isBesideInConflict {
      refusal.violations.append(
        Violation(place: Root.schema.name, message: "others have changed what stands beside its tables as well"))
    }
  }
}
