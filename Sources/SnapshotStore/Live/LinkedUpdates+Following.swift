extension LinkedUpdates {
  typealias State = LinkedState<Value, Section, Target>

  /// What comes after a state, or the first list. Waits for it.
  func next(after state: State?) async -> (Element, State)? {
    if Task.isCancelled { return nil }
    guard var state else {
      let parents = updates.start()
      let first = State(
        parents: parents, targets: LinkTargets(parents.list.flatMap(links), in: targets.latest().table))
      return (LinkedUpdate(list: parents.list, batch: nil, targets: first.targets, changedTargets: []), first)
    }
    while true {
      let parents = updates.source.latest()
      let others = targets.latest()
      let batch = state.parents.list.updated(from: state.parents.table, to: parents.table)
      state.parents = LiveState(list: batch.after, table: parents.table)
      follow(batch, &state.targets)
      let changes = follow(others.table, &state.targets)
      if !batch.isEmpty || !changes.isEmpty {
        let update = LinkedUpdate(
          list: batch.after, batch: batch.isEmpty ? nil : batch, targets: state.targets, changedTargets: changes)
        return (update, state)
      }
      guard await changed(after: parents.revision, others.revision, state.targets) else { return nil }
    }
  }

  /// Takes over which links there are.
  private func follow(_ batch: ListBatch<Value, Section>, _ targets: inout LinkTargets<Target>) {
    let kept = batch.moves + batch.updates
    for index in batch.deletes + kept.map(\.old) { targets.remove(links(batch.before[index])) }
    for index in batch.inserts + kept.map(\.new) { targets.add(links(batch.after[index])) }
  }

  /// Takes over what the other side holds, and gives the ids of linked records that changed.
  private func follow(_ table: Table<Target>, _ targets: inout LinkTargets<Target>) -> [Target.ID] {
    let changes = table.changes(from: targets.table)
    targets.table = table
    return changes.map(\.id).filter { targets.uses.contains($0) }
  }

  /// Waits for a commit on either side that concerns the list; false if there will be none.
  private func changed(after revision: Int, _ otherRevision: Int, _ targets: LinkTargets<Target>) async -> Bool {
    let ticket = LiveTicket<Void>()
    // A side that ends is asked again, and then left out.
    let parent = updates.source.waiter(revision, updates.slice.isConcerned) { _ in ticket.answer(()) }
    let uses = targets.uses
    let isLinked: @Sendable ([RowEdit<Target>]) -> Bool = { edits in
      edits.contains { ($0.new ?? $0.old).map { uses.contains($0.record.id) } ?? false }
    }
    let other = self.targets.waiter(otherRevision, isLinked) { _ in ticket.answer(()) }
    let waits = (updates.source.watch.add(parent), self.targets.watch.add(other))
    defer {
      if case .waiting(let id) = waits.0 { updates.source.watch.remove(id) }
      if case .waiting(let id) = waits.1 { self.targets.watch.remove(id) }
    }
    switch waits {
    case (.behind, _), (_, .behind): return true
    case (.finished, .finished): return false
    default: return await ticket.wait() != nil
    }
  }
}
