/// The results of a function of a store's value, as an asynchronous sequence: the first result, then each different
/// one.
///
/// ```swift
/// for await count in store.observe({ $0.posts.count }) { show("\(count) posts") }
/// ```
///
/// A result that is not equal to itself, such as `Double.nan`, does not count as different from another one.
public struct LiveValues<Root: Model, Result: Equatable & Sendable>: AsyncSequence, Sendable {
  /// A result.
  public typealias Element = Result
  /// The sequence does not fail.
  public typealias Failure = Never

  private let core: Store<Root>.Core
  private let watch: LiveWatch<Void, Void>
  private let function: @Sendable (Root) -> Result

  init(_ store: Store<Root>, _ function: @escaping @Sendable (Root) -> Result) {
    core = store.core
    self.function = function
    watch = store.companions.companion("value") {
      store.makeWatch { watch, changes in watch.tell(revision: changes.revision, before: ()) { () } }
    }
  }

  /// The identity of the store, as long as this query exists.
  package var storeIdentity: ObjectIdentifier { ObjectIdentifier(core) }

  /// Starts an iteration. Its first element is the result at that time.
  public func makeAsyncIterator() -> Iterator { Iterator(values: self) }

  /// An iteration over the results.
  public struct Iterator: AsyncIteratorProtocol {
    let values: LiveValues
    private var last: Seen?
    private var isOver = false

    init(values: LiveValues, last: Seen? = nil) {
      self.values = values
      self.last = last
    }

    /// The next result that differs; nil when the store is closed or the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Result? {
      guard !isOver, let next = await values.next(after: last) else {
        isOver = true
        return nil
      }
      last = next
      return next.result
    }
  }

  /// A result and its revision.
  struct Seen: Sendable {
    var result: Result
    var revision: Int
  }

  private func next(after last: Seen?) async -> Seen? {
    if Task.isCancelled { return nil }
    guard var seen = last else { return current() }
    while true {
      // Every commit that changes a table makes a revision. Without a new one there is no need to call the function.
      if core.latest.revision != seen.revision {
        let now = current()
        if !Self.isSame(now.result, seen.result) { return now }
        seen.revision = now.revision
      }
      guard await changed(after: seen.revision) else { return nil }
    }
  }

  /// A result that is not equal to itself, such as a mean of no values, would otherwise change for ever.
  private static func isSame(_ a: Result, _ b: Result) -> Bool { a == b || (a != a && b != b) }

  /// The result as it is now.
  func current() -> Seen {
    let latest = core.latest
    return Seen(result: function(latest.value), revision: latest.revision)
  }

  /// Waits for another revision; false if none will follow.
  private func changed(after revision: Int) async -> Bool {
    let ticket = Ticket<Void>()
    let waiter = LiveWatch<Void, Void>.Waiter(revision: revision, isConcerned: { true }) { ticket.answer($0) }
    switch watch.add(waiter) {
    case .behind: return true
    case .finished: return false
    case .waiting(let id):
      defer { watch.remove(id) }
      return await ticket.wait() != nil
    }
  }
}

/// A task that is cancelled when this object is deallocated.
final class TaskHandle: Sendable {
  private let task: Task<Void, Never>

  init(_ task: Task<Void, Never>) { self.task = task }

  deinit { task.cancel() }
}
