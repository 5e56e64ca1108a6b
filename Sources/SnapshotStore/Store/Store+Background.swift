import Dispatch

/// Changes that take a while.
extension Store {
  /// How often a block runs beside other transactions before it makes them wait.
  private static var attempts: Int { 3 }

  /// Changes the value in one transaction, on a thread of the store's own, and returns what `body` returns.
  ///
  /// Unlike in ``write(origin:_:)``, other transactions need not wait for `body`, however long it takes: it works on a copy,
  /// whose changes are then merged. If another transaction has changed the same properties meanwhile, to whatever values, `body` runs
  /// again on the newer value, in the end while others wait; so what it does outside of the value it may do more than once. What
  /// it has only read may be another by the time its changes are made.
  /// Blocks on one store run one after the other, in their order. `body` must not write to the store, which traps, nor wait for a
  /// thread that does.
  ///
  /// - Throws: what ``write(origin:_:)`` throws; `CancellationError` if the task was cancelled before the change was made.
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
  ///   - completion: called on a thread of the store's own once the transaction is made, or has failed.
  public func performBackground<Result: Sendable>(
    origin: Origin = .local, _ body: @escaping @Sendable (inout Root) throws -> Result,
    completion: @escaping @Sendable (Swift.Result<Result, any Error>) -> Void = { _ in }
  ) {
    background.async {
      completion(Swift.Result { try self.writeBeside(origin, body) })
    }
  }

  private func writeBeside<Result>(_ origin: Origin, _ body: (inout Root) throws -> Result) throws -> Result {
    for _ in 0..<Self.attempts {
      let before = try latestForWriting()
      var draft = before.value
      let result = try writerLock.refusingThisThread { try body(&draft) }
      let isDone = try write(origin: origin) { bring(draft, since: before.value, into: &$0) }
      if isDone { return result }
    }
    return try write(origin: origin, body)
  }

  /// Makes the changes of a draft in the value of now.
  ///
  /// - Returns: whether it was possible without a conflict.
  private func bring(_ draft: Root, since before: Root, into value: inout Root) -> Bool {
    // What is beside the tables is taken from the one side that has changed it.
    let theirsIsNew = differ(draft.replacingTables(with: before), before)
    if theirsIsNew, differ(value.replacingTables(with: before), before) { return false }
    let merge = Root.mergingWhole(
      base: before, ours: value, theirs: draft, policy: .fail, options: .reportsEqualChanges)
    guard merge.conflicts.isEmpty, merge.mended.isEmpty else { return false }
    value = (theirsIsNew ? draft : value).replacingTables(with: merge.value)
    return true
  }

  /// Whether two values are not the same bits, in tables or beside them.
  private func differ(_ a: Root, _ b: Root) -> Bool {
    withUnsafePointer(to: a) { a in
      withUnsafePointer(to: b) { b in
        if case .none = schema.difference(a, b) { false } else { true }
      }
    }
  }
}
