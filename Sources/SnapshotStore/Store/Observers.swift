import Synchronization

/// The observers of a store's change sets.
final class Observers<Root: Model>: Sendable {
  typealias Observer = @Sendable (ChangeSet<Root>) -> Void

  private struct Entry: Sendable {
    let tell: Observer
    let finish: @Sendable () -> Void
  }

  private struct State: Sendable {
    var entries: [Int: Entry] = [:]
    var lastID = 0
    var isFinished = false
  }

  private let state = Mutex(State())

  /// Adds an observer, which is told of every change set from now on, in order.
  ///
  /// - Parameters:
  ///   - tell: called under the writer lock. It must be quick, and must not write to the store.
  ///   - finish: called once, when no change set will follow; not after `remove`.
  /// - Returns: the number to pass to `remove`. Nil, without a call of `finish`, if no change set will follow anyway.
  func add(_ tell: @escaping Observer, finish: @escaping @Sendable () -> Void = {}) -> Int? {
    state.withLock { state in
      if state.isFinished { return nil }
      state.lastID += 1
      state.entries[state.lastID] = Entry(tell: tell, finish: finish)
      return state.lastID
    }
  }

  func remove(_ id: Int) {
    // The entry may hold the last reference to an object that calls `remove` itself when it is deallocated.
    let removed = state.withLock { $0.entries.removeValue(forKey: id) }
    withExtendedLifetime(removed) {}
  }

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
    let entries = state.withLock { $0.entries.isEmpty ? [] : Array($0.entries.values) }
    if entries.isEmpty { return }
    let changeSet = makeChangeSet()
    for entry in entries { entry.tell(changeSet) }
  }

  func finish() {
    let entries = state.withLock { state in
      state.isFinished = true
      defer { state.entries = [:] }
      return Array(state.entries.values)
    }
    for entry in entries { entry.finish() }
  }

  deinit { finish() }
}
