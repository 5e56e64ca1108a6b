import Synchronization

/// The observers of a store's change sets.
final class Observers<Root: Model>: Sendable {
  typealias Observer = @Sendable (ChangeSet<Root>) -> Void

  private struct Entry: Sendable {
    let tell: Observer
    let finish: @Sendable () -> Void
  }

  private let entries = SmallLock(Registry<Entry>())

  /// Adds an observer, which is told of every change set from now on, in order.
  ///
  /// - Parameters:
  ///   - tell: called under the writer lock. It must be quick, and must not write to the store.
  ///   - finish: called once, when no change set will follow; not after `remove`.
  /// - Returns: the number to pass to `remove`. Nil, without a call of `finish`, if no change set will follow anyway.
  func add(_ tell: @escaping Observer, finish: @escaping @Sendable () -> Void = {}) -> Int? {
    entries.withLock { $0.add(Entry(tell: tell, finish: finish)) }
  }

  func remove(_ id: Int) { _ = entries.withLock { $0.remove(id) } }

  func makeStream() -> AsyncStream<ChangeSet<Root>> {
    let (stream, continuation) = AsyncStream.makeStream(of: ChangeSet<Root>.self)
    guard let id = add({ continuation.yield($0) }, finish: { continuation.finish() }) else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in self?.remove(id) }
    return stream
  }

  /// Called under the writer lock, so that all observers see the order of the transactions.
  func notify(_ makeChangeSet: () -> ChangeSet<Root>) {
    let entries = entries.withLock { $0.all }
    if entries.isEmpty { return }
    let changeSet = makeChangeSet()
    for entry in entries { entry.tell(changeSet) }
  }

  func finish() {
    for entry in entries.withLock({ $0.finish() }) { entry.finish() }
  }

  deinit { finish() }
}
