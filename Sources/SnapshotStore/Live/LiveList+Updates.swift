/// A list that follows a table.
extension LiveList {
  /// A live query: a list that follows a table, as an asynchronous sequence.
  ///
  /// ```swift
  /// for await update in store.observe(\.posts, sortedBy: \.date, limit: 50) {
  ///   show(update.list.count, update.batch?.inserts ?? [])
  /// }
  /// ```
  ///
  /// The first element is the list at the start of the iteration. Every further element is a batch of changes. A
  /// consumer that keeps up receives one batch for each commit that affects the list. A consumer that falls behind
  /// receives one batch for all commits that it missed, so nothing accumulates. A commit that does not affect the list
  /// does not wake the task of the consumer.
  ///
  /// The sequence ends when the store is closed or deallocated, after the last change was delivered. It also ends when
  /// the task is cancelled. Iterations are independent, and their work is not done on the actor that iterates.
  ///
  /// Costs: the first element O(n log n); a batch O(changes · log n).
  public struct Updates: AsyncSequence, Sendable {
    /// A list and the changes since the previous one.
    public typealias Element = Update
    /// The sequence does not fail.
    public typealias Failure = Never

    let source: LiveSource<Value>
    let slice: LiveSlice<Value, Section>

    /// Starts an iteration. Its first element is the list at that time.
    public func makeAsyncIterator() -> Iterator { Iterator(updates: self) }

    /// The identity of the store, as long as this query exists.
    package var storeIdentity: ObjectIdentifier { source.store }

    /// The list as it is now. O(n log n).
    public func current() -> LiveList<Value, Section> { LiveList(slice, of: source.latest().table) }

    /// An iteration over the changes of the list.
    public struct Iterator: AsyncIteratorProtocol {
      let updates: Updates
      var state: LiveState<Value, Section>?
      private var isOver = false

      init(updates: Updates, state: LiveState<Value, Section>? = nil) {
        self.updates = updates
        self.state = state
      }

      /// The next change of the list, or the first list; nil when the store is closed or the task is cancelled.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async -> Update? {
        guard !isOver, let update = await updates.next(&state) else {
          (isOver, state) = (true, nil)
          return nil
        }
        return update
      }
    }
  }
}

extension LiveList.Updates {
  /// A list that a live query delivers.
  public struct Update: Sendable {
    /// The list now.
    public let list: LiveList<Value, Section>
    /// The changes since the previous update; nil for the first update.
    public let batch: LiveList<Value, Section>.Batch?
  }
}

/// The state of an iteration: the last delivered list and its table.
struct LiveState<Value: Record, Section: Comparable & Sendable>: Sendable {
  var list: LiveList<Value, Section>
  /// Nil while the iteration waits, because a long wait must not keep replaced records in memory.
  var table: Table<Value>?
}

extension LiveList.Updates {
  /// The first state, without waiting.
  func start() -> LiveState<Value, Section> {
    let table = source.latest().table
    return LiveState(list: LiveList(slice, of: table), table: table)
  }

  /// Waits for the next state, or returns the first list.
  func next(_ state: inout LiveState<Value, Section>?) async -> Update? {
    if Task.isCancelled { return nil }
    guard var now = state.take() else {
      let first = start()
      state = first
      return Update(list: first.list, batch: nil)
    }
    while true {
      let (batch, revision) = advance(&now)
      if batch.hasChanges {
        state = now
        return Update(list: batch.after, batch: batch)
      }
      guard await changed(after: revision, &now) else { return nil }
    }
  }

  /// Applies all changes since the last update.
  private func advance(_ state: inout LiveState<Value, Section>) -> (LiveList<Value, Section>.Batch, revision: Int) {
    let latest = source.latest()
    let batch = state.list.updated(from: state.table ?? latest.table, to: latest.table)
    state = LiveState(list: batch.after, table: latest.table)
    return (batch, latest.revision)
  }

  /// Waits for a commit that affects the slice. The state then has the table before that commit. Returns at once if
  /// there is a newer revision already. Returns false if no commit will follow.
  private func changed(after revision: Int, _ state: inout LiveState<Value, Section>) async -> Bool {
    let ticket = Ticket<Table<Value>>()
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
  /// A consumer that has seen a revision, for the watch; see `LiveWatch.Waiter`.
  func waiter(
    _ revision: Int, _ isConcerned: @escaping @Sendable ([RowEdit<Value>]) -> Bool,
    wake: @escaping @Sendable (Table<Value>?) -> Void
  ) -> Watch.Waiter {
    Watch.Waiter(revision: revision, isConcerned: isConcerned, wake: wake)
  }
}

extension LiveSlice {
  /// Whether a record matches in its old or its new form.
  func isConcerned(_ edits: [RowEdit<Value>]) -> Bool {
    edits.contains { edit in edit.old.map(matches) ?? false || edit.new.map(matches) ?? false }
  }
}

/// Updates a list after a change.
extension LiveList {
  /// The list for another version of the table, and the changes that led to it. O(changes · log n).
  func updated(from old: Table<Value>, to new: Table<Value>) -> LiveList<Value, Section>.Batch {
    var list = self
    var changes: [RowChange<Value>] = []
    for edit in new.edits(from: old) ?? [] {
      if let change = list.take(edit) { changes.append(change) }
    }
    var batch = Batch(before: self, after: list)
    if !changes.isEmpty { batch.fill(with: changes) }
    return batch
  }

  /// Applies the change of one record. Returns nil if the record does not match, and did not match before.
  private mutating func take(_ edit: RowEdit<Value>) -> RowChange<Value>? {
    let old = edit.old.flatMap { slice.matches($0) ? $0 : nil }
    let new = edit.new.flatMap { slice.matches($0) ? $0 : nil }
    guard old != nil || new != nil else { return nil }
    // If the old row exists and sorts the same, the new one replaces it, including its key.
    if let old, let new, row(old) == row(new), rows.updateValue((), forKey: row(new)) != nil {
      return RowChange(old: old, new: new)
    }
    let removed = old.flatMap { rows.removeValue(forKey: row($0)) == nil ? nil : $0 }
    if let removed { count(slice.section(removed), by: -1) }
    if let new, rows.updateValue((), forKey: row(new)) == nil { count(slice.section(new), by: 1) }
    return RowChange(old: removed, new: new)
  }

  /// Whether a row is in both lists, but under different sections.
  func isOtherSection(_ change: RowChange<Value>) -> Bool {
    guard let old = change.old, let new = change.new else { return false }
    return slice.sectionOrder.isBefore(slice.section(old), slice.section(new)) != nil
  }
}

/// A changed row, and its indexes in the old and the new list. An index is nil beyond the limit.
struct RowChange<Value: Record> {
  let old: RecordBox<Value>?
  let new: RecordBox<Value>?
  var oldIndex: Int?
  var newIndex: Int?

  init(old: RecordBox<Value>?, new: RecordBox<Value>?) {
    self.old = old
    self.new = new
  }

  var changesContent: Bool {
    guard let old, let new else { return true }
    return old.record != new.record
  }
}
