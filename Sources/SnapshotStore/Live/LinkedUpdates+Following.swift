import Synchronization

/// The iteration of linked lists over the changes of two stores.
extension LinkedUpdates {
  typealias State = LinkedState<Value, Section, Target>

  /// Waits for the next state, or returns the first list.
  func next(_ state: inout State?) async -> Element? {
    if Task.isCancelled { return nil }
    guard var now = state.take() else {
      let first = start()
      state = first
      return Update(list: first.parents.list, batch: nil, targets: first.targets, changedTargets: [])
    }
    while true {
      let (update, revisions) = advance(&now)
      if let update {
        state = now
        return update
      }
      guard await changed(after: revisions, &now) else { return nil }
    }
  }

  private typealias Revisions = (parents: Int, targets: Int)

  /// The latest version of both tables. If both belong to one store, both belong to one revision. Otherwise an update
  /// could show a state that never existed.
  private func latest() -> (parents: Table<Value>, targets: Table<Target>, Revisions) {
    while true {
      let (parents, others) = (updates.source.latest(), targets.latest())
      if updates.source.store != targets.store || parents.revision == others.revision {
        return (parents.table, others.table, (parents.revision, others.revision))
      }
    }
  }

  private func start() -> State {
    let (parents, others, _) = latest()
    let list = LiveList(updates.slice, of: parents)
    return State(
      parents: LiveState(list: list, table: parents), targets: LinkTargets(list.flatMap(links), in: others))
  }

  /// Applies the changes of both sides since the last update. Returns the update if a follower sees a difference.
  private func advance(_ state: inout State) -> (Element?, Revisions) {
    let (parents, others, revisions) = latest()
    let batch = state.parents.list.updated(from: state.parents.table ?? parents, to: parents)
    state.parents = LiveState(list: batch.after, table: parents)
    follow(batch, &state.targets)
    let changes = follow(others, &state.targets)
    if !batch.hasChanges, changes.isEmpty { return (nil, revisions) }
    let update = Update(
      list: batch.after, batch: batch.hasChanges ? batch : nil, targets: state.targets, changedTargets: changes)
    return (update, revisions)
  }

  /// Updates the set of links.
  private func follow(_ batch: ListBatch<Value, Section>, _ targets: inout LinkTargets<Target>) {
    let kept = batch.moves + batch.updates
    let (olds, news) = (batch.deletes + kept.map { $0.old }, batch.inserts + kept.map { $0.new })
    for index in olds { targets.remove(links(batch.before[index])) }
    for index in news { targets.add(links(batch.after[index])) }
  }

  /// Updates the targets from the other table, and returns the ids of linked records that changed.
  private func follow(_ table: Table<Target>, _ targets: inout LinkTargets<Target>) -> [Target.ID] {
    let changes = table.changes(from: targets.table)
    targets.table = table
    return changes.map { $0.id }.filter { targets.uses.contains($0) }
  }

  /// Waits for a commit on either side that affects the list. The state then has the tables before that commit. Returns
  /// false if no commit will follow.
  private func changed(after revisions: Revisions, _ state: inout State) async -> Bool {
    let ticket = Ticket<Void>()
    // A side that has ended is asked once more, and then left out.
    let tables = PassedTables(state)
    let parent = updates.source.waiter(
      revisions.parents, updates.slice.isConcerned, pass: { tables.pass(parents: $0) }
    ) { _ in ticket.answer(()) }
    let uses = state.targets.uses
    let isLinked: @Sendable ([RowEdit<Target>]) -> Bool = { edits in
      edits.contains { ($0.new ?? $0.old).map { uses.contains($0.record.id) } ?? false }
    }
    let other = targets.waiter(revisions.targets, isLinked, pass: { tables.pass(targets: $0) }) { _ in
      ticket.answer(())
    }
    let waits = (updates.source.watch.add(parent), targets.watch.add(other))
    defer {
      if case .waiting(let id) = waits.0 { updates.source.watch.remove(id) }
      if case .waiting(let id) = waits.1 { targets.watch.remove(id) }
    }
    switch waits {
    case (.behind, _), (_, .behind): return true
    case (.finished, .finished): return false
    default: break
    }
    state.parents.table = nil
    state.targets.table = Table()
    let isWoken = await ticket.wait() != nil
    (state.parents.table, state.targets.table) = tables.latest
    return isWoken
  }
}

/// The tables of a waiting state. They advance with commits that do not affect the list, so that no replaced records
/// stay in memory. The commit that affects it finds the table before it.
private final class PassedTables<Value: Record, Target: Record>: Sendable {
  private let tables: SmallLock<(parents: Table<Value>?, targets: Table<Target>)>

  init<Section>(_ state: LinkedState<Value, Section, Target>) {
    tables = SmallLock((state.parents.table, state.targets.table))
  }

  var latest: (parents: Table<Value>?, targets: Table<Target>) { tables.withLock { $0 } }

  func pass(parents: Table<Value>) { tables.withLock { $0.parents = parents } }
  func pass(targets: Table<Target>) { tables.withLock { $0.targets = targets } }
}
