/// A live query: a list that follows a table, as an asynchronous sequence.
///
/// The first element is the list as it is when the iteration starts. Every further one is a batch of changes: one for each commit that
/// touches what the query shows, for who takes them as fast as they come; for who does not, one for all commits since. Nothing piles up
/// in between, and commits that do not touch the query are not even looked at by its task.
///
/// The sequence ends when the store is closed or let go, after the last change was delivered, and when the task is cancelled. Each
/// iteration is its own, and its work is done off the actor that iterates.
///
/// Costs: the first element O(n log n); a batch O(changes · log n).
public struct LiveUpdates<Value: Record, Section: Comparable & Sendable>: AsyncSequence, Sendable {
  /// A list, and how it came from the one before.
  public typealias Element = LiveUpdate<Value, Section>
  /// It does not fail.
  public typealias Failure = Never

  let source: LiveSource<Value>
  let slice: LiveSlice<Value, Section>

  /// Starts with the list of what is there by then.
  public func makeAsyncIterator() -> Iterator { Iterator(updates: self) }

  /// The list as it is now. O(n log n).
  public func current() -> LiveList<Value, Section> { LiveList(slice, of: source.latest().table) }

  /// Goes along with the store.
  public struct Iterator: AsyncIteratorProtocol {
    let updates: LiveUpdates
    var state: LiveState<Value, Section>?
    private var isOver = false

    init(updates: LiveUpdates, state: LiveState<Value, Section>? = nil) {
      self.updates = updates
      self.state = state
    }

    /// The next change of the list, or the first list; nil when the store is closed or the task is cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> LiveUpdate<Value, Section>? {
      let state = state.take()
      guard !isOver, let (update, next) = await updates.next(after: state) else {
        isOver = true
        return nil
      }
      self.state = next
      return update
    }
  }
}

/// A list that a live query delivers.
public struct LiveUpdate<Value: Record, Section: Comparable & Sendable>: Sendable {
  /// The list now.
  public let list: LiveList<Value, Section>
  /// How it came from the one delivered before; nil for the first.
  public let batch: ListBatch<Value, Section>?
}

/// What an iteration knows: the list that it delivered last, and the table that it is of.
struct LiveState<Value: Record, Section: Comparable & Sendable>: Sendable {
  var list: LiveList<Value, Section>
  var table: Table<Value>
}

extension LiveUpdates {
  /// The first list, without waiting.
  func start() -> LiveState<Value, Section> {
    let table = source.latest().table
    return LiveState(list: LiveList(slice, of: table), table: table)
  }

  /// What comes after a state, or the first list. Waits for it.
  func next(
    after state: LiveState<Value, Section>?
  ) async -> (LiveUpdate<Value, Section>, LiveState<Value, Section>)? {
    if Task.isCancelled { return nil }
    guard let state else {
      let first = start()
      return (LiveUpdate(list: first.list, batch: nil), first)
    }
    var list = state.list
    var base: Table? = state.table
    while let table = base {
      let latest = source.latest()
      let batch = list.updated(from: table, to: latest.table)
      list = batch.after
      if !batch.isEmpty { return (LiveUpdate(list: list, batch: batch), LiveState(list: list, table: latest.table)) }
      base = await changedTable(after: latest.revision, latest.table)
    }
    return nil
  }

  /// Waits for a commit that touches the slice, and gives the table as it was before it; nil if there will be none.
  private func changedTable(after revision: Int, _ table: Table<Value>) async -> Table<Value>? {
    let ticket = LiveTicket<Table<Value>>()
    switch source.watch.add(source.waiter(revision, slice.isConcerned) { ticket.answer($0) }) {
    case .behind: return table
    case .finished: return nil
    case .waiting(let id):
      defer { source.watch.remove(id) }
      return await ticket.wait()
    }
  }
}

extension LiveSource {
  func waiter(
    _ revision: Int, _ isConcerned: @escaping @Sendable ([RowEdit<Value>]) -> Bool,
    wake: @escaping @Sendable (Table<Value>?) -> Void
  ) -> Watch.Waiter {
    Watch.Waiter(revision: revision, isConcerned: isConcerned, wake: wake)
  }
}

extension LiveSlice {
  /// Whether one of the records matches, or has.
  func isConcerned(_ edits: [RowEdit<Value>]) -> Bool {
    edits.contains { edit in edit.old.map(matches) ?? false || edit.new.map(matches) ?? false }
  }
}
