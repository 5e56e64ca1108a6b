/// The state of saving, as a value and as a sequence.
extension Store {
  /// The saved revision, the running save and the last failure.
  public var status: StoreStatus { Self.status(core, saver) }

  /// The state of saving, as an asynchronous sequence: the current state, and then the newest state after each change.
  ///
  /// Each access to this property is a separate subscription. A consumer that falls behind receives only the newest
  /// state. The sequence ends when the store is closed, or is deallocated and saved. It does not keep the store alive.
  /// For a store in memory it has one state, and ends.
  ///
  /// An app can use it to show a full disk, which is no error of `write`:
  ///
  /// ```swift
  /// for await status in store.statuses {
  ///   if let error = status.lastError { show("not saved: \(error)") }
  ///   show(status.isDirty ? "edited" : "saved")
  /// }
  /// ```
  public var statuses: StoreStatus.Updates {
    let (core, saver) = (core, saver)
    return StoreStatus.Updates(changes: saver?.makeStatusStream() ?? .one) { Self.status(core, saver) }
  }

  private static func status(_ core: Core, _ saver: Saver<Root>?) -> StoreStatus {
    // The saver is read first, so that its durable revision is never newer than the value's.
    let progress = saver?.progress
    return StoreStatus(revision: core.latest.revision, progress, now: saver?.scheduler.now ?? .zero)
  }
}

extension AsyncStream<Void> {
  /// One element, and the end.
  fileprivate static var one: AsyncStream<Void> {
    AsyncStream { continuation in
      continuation.yield()
      continuation.finish()
    }
  }
}

extension StoreStatus {
  /// The sequence of ``Store/statuses``.
  public struct Updates: AsyncSequence, Sendable {
    /// The state of saving at the moment when the element is taken.
    public typealias Element = StoreStatus
    /// The sequence does not fail.
    public typealias Failure = Never

    let changes: AsyncStream<Void>
    let status: @Sendable () -> StoreStatus

    /// Makes an iterator. All iterators of one sequence share its states.
    public func makeAsyncIterator() -> Iterator { Iterator(changes: changes.makeAsyncIterator(), status: status) }

    /// An iterator over states of saving.
    public struct Iterator: AsyncIteratorProtocol {
      var changes: AsyncStream<Void>.AsyncIterator
      let status: @Sendable () -> StoreStatus

      /// The newest state; nil when the store is closed or the task is cancelled.
      public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> StoreStatus? {
        await changes.next(isolation: actor) == nil ? nil : status()
      }
    }
  }
}
