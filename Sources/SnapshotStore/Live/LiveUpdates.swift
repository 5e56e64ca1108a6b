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
      guard !isOver, let update = await updates.next(&state) else {
        (isOver, state) = (true, nil)
        return nil
      }
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
  /// Nil while it waits: who may wait for long must not keep what others have replaced since.
  var table: Table<Value>?
}

extension LiveUpdates {
  /// The first list, without waiting.
  func start() -> LiveState<Value, Section> {
    let table = source.latest().table
    return LiveState(list: LiveList(slice, of: table), table: table)
  }

  /// What comes after a state, or the first list. Waits for it.
  func next(_ state: inout LiveState<Value, Section>?) async -> LiveUpdate<Value, Section>? {
    if Task.isCancelled { return nil }
    guard var now = state.take() else {
      let first = start()
      state = first
      return LiveUpdate(list: first.list, batch: nil)
    }
    while true {
      let (batch, revision) = advance(&now)
      if batch.isNews {
        state = now
        return LiveUpdate(list: batch.after, batch: batch)
      }
      guard await changed(after: revision, &now) else { return nil }
    }
  }

  /// Takes over what has come since.
  private func advance(_ state: inout LiveState<Value, Section>) -> (ListBatch<Value, Section>, revision: Int) {
    let latest = source.latest()
    let batch = state.list.updated(from: state.table ?? latest.table, to: latest.table)
    state = LiveState(list: batch.after, table: latest.table)
    return (batch, latest.revision)
  }

  /// Waits for a commit that touches the slice; the state is then of the table before it. False if there will be none.
  private func changed(after revision: Int, _ state: inout LiveState<Value, Section>) async -> Bool {
    let ticket = LiveTicket<Table<Value>>()
    switch source.watch.add(source.waiter(revision, slice.isConcerned) { ticket.answer($0) }) {
    case .behind: return true
    case .finished: return false
    case .waiting(let id):
      defer { source.watch.remove(id) }
      state.table = nil
      state.table = await ticket.wait()
      return state.table != nil
    }
  }
}

extension LiveSource {
  func waiter(
    _ revision: Int, _ isConcerned: @escaping @Sendable ([RowEdit<Value>]) -> Bool,
    pass: (@Sendable (Table<Value>) -> Void)? = nil, wake: @escaping @Sendable (Table<Value>?) -> Void
  ) -> Watch.Waiter {
    Watch.Waiter(revision: revision, isConcerned: isConcerned, pass: pass, wake: wake)
  }
}

extension LiveSlice {
  /// Whether one of the records matches, or has.
  func isConcerned(_ edits: [RowEdit<Value>]) -> Bool {
    edits.contains { edit in edit.old.map(matches) ?? false || edit.new.map(matches) ?? false }
  }
}
