/// The results of a function of a store's value, as an asynchronous sequence: the first one, then each that differs.
///
/// Of results that are not equal to themselves, as `Double.nan` is not, one does not differ from the next.
public struct LiveValues<Root: Model, Result: Equatable & Sendable>: AsyncSequence, Sendable {
  /// A result.
  public typealias Element = Result
  /// It does not fail.
  public typealias Failure = Never

  private let core: Store<Root>.Core
  private let watch: LiveWatch<Void, Void>
  private let function: @Sendable (Root) -> Result

  init(_ store: Store<Root>, _ function: @escaping @Sendable (Root) -> Result) {
    core = store.core
    self.function = function
    watch = store.companions.companion("value") {
      store.makeWatch { watch, changes in watch.tell(revision: changes.revision, before: (), after: ()) { () } }
    }
  }

  /// Starts with the result of what is there by then.
  public func makeAsyncIterator() -> Iterator { Iterator(values: self) }

  /// Goes along with the store.
  public struct Iterator: AsyncIteratorProtocol {
    let values: LiveValues
    private var last: Seen?
    private var isOver = false

    init(values: LiveValues) { self.values = values }

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

  /// A result and the revision that it is of.
  struct Seen: Sendable {
    var result: Result
    var revision: Int
  }

  private func next(after last: Seen?) async -> Seen? {
    if Task.isCancelled { return nil }
    guard var seen = last else { return result() }
    while true {
      // Commits that change a table make a revision; without one there is nothing to ask.
      if core.latest.revision != seen.revision {
        let now = result()
        if !Self.isSame(now.result, seen.result) { return now }
        seen.revision = now.revision
      }
      guard await changed(after: seen.revision) else { return nil }
    }
  }

  /// A result that is not even equal to itself, as a mean of nothing, would never come to rest.
  private static func isSame(_ a: Result, _ b: Result) -> Bool { a == b || (a != a && b != b) }

  private func result() -> Seen {
    let latest = core.latest
    return Seen(result: function(latest.value), revision: latest.revision)
  }

  /// Waits for another revision; false if there will be none.
  private func changed(after revision: Int) async -> Bool {
    let ticket = LiveTicket<Void>()
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
