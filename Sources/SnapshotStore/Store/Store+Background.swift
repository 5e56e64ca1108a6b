import Dispatch

/// Changes that take a while.
extension Store {
  /// How often a block runs beside other transactions before it makes them wait.
  private static var attempts: Int { 3 }

  /// Changes the value in one transaction, on a thread of the store's own, and returns what `body` returns.
  ///
  /// Unlike in ``write(origin:_:)``, other transactions need not wait for `body`, however long it takes: it works on a copy,
  /// whose changes are then merged. If another transaction has changed the same properties meanwhile, `body` runs
  /// again on the newer value, in the end while others wait; so what it does outside of the value it may do more than once.
  /// Blocks on one store run one after the other, in their order.
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
  /// - Parameter completion: called on a thread of the store's own once the transaction is made, or has failed.
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
      let result = try body(&draft)
      let isDone = try write(origin: origin) { value in
        if value.hasSameTables(as: before.value) {
          value = draft
          return true
        }
        let merge = Root.merging(base: before.value, ours: value, theirs: draft, policy: .fail)
        guard merge.conflicts.isEmpty, merge.mended.isEmpty else { return false }
        value = merge.value
        return true
      }
      if isDone { return result }
    }
    return try write(origin: origin, body)
  }
}
