/// What is saved, as a value and as a sequence.
extension Store {
  /// What the store has saved, is saving, and failed to save.
  public var status: StoreStatus { Self.status(core, saver) }

  /// The state of saving, as an asynchronous sequence: the one of now, and from then on the newest whenever it is another one.
  ///
  /// Each reading of this property is a subscription of its own. States that come faster than they are taken are left out, except
  /// for the newest. The sequence ends when the store is closed, or is gone and saved; it does not keep the store alive. Of a store in
  /// memory it has one state.
  ///
  /// An app shows by it that a disk is full, which no `write` throws:
  ///
  ///     for await status in store.statuses {
  ///       banner = status.lastError?.message
  ///     }
  public var statuses: StoreStatuses {
    let (core, saver) = (core, saver)
    return StoreStatuses(changes: statusFollowers.makeStream()) { Self.status(core, saver) }
  }

  private static func status(_ core: Core, _ saver: Saver<Root>?) -> StoreStatus {
    // The saver first: what it calls durable is never newer than the value.
    let status = saver?.status
    let revision = core.latest.revision
    return StoreStatus(revision: revision, saver: status ?? SaverStatus(durableRevision: revision))
  }
}

/// What ``Store/statuses`` gives.
public struct StoreStatuses: AsyncSequence, Sendable {
  /// The state of saving at the moment at which the element is taken.
  public typealias Element = StoreStatus
  /// It does not fail.
  public typealias Failure = Never

  let changes: AsyncStream<Void>
  let status: @Sendable () -> StoreStatus

  /// Takes the states. All iterators of one sequence share them.
  public func makeAsyncIterator() -> Iterator { Iterator(changes: changes.makeAsyncIterator(), status: status) }

  /// Waits for another state.
  public struct Iterator: AsyncIteratorProtocol {
    var changes: AsyncStream<Void>.AsyncIterator
    let status: @Sendable () -> StoreStatus

    /// The newest state; nil when the store is closed or the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> StoreStatus? {
      await changes.next(isolation: actor) == nil ? nil : status()
    }
  }
}
