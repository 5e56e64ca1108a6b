extension Model {
  /// What comes of two values that were made from one: every record that one side alone changed, added or removed is as
  /// that side has it; of one that both changed, so is every property, by ``Record/mergeRules``. Where both changed the same
  /// property in different ways, the policy decides, and the conflicts name it.
  ///
  /// A record that one side removed and the other changed stays, as it was changed. One that the other side removed is taken
  /// back where something refers to it (``takeBackReferenced(from:)``); what then leads nowhere is mended by
  /// ``mendAfterLosses()``. What is stored beside the tables is ours. O(changes · log n), and what mending takes, for values
  /// that share what they have in common; O(n) otherwise.
  ///
  /// - Parameters:
  ///   - base: what both were made from.
  ///   - ours: the side that is merged into.
  ///   - theirs: the other side.
  ///   - policy: who wins where both changed the same.
  public static func merging(
    base: Self, ours: Self, theirs: Self, policy: MergePolicy = .ours
  ) -> (value: Self, conflicts: [MergeConflict], mended: [Violation]) {
    var merge = ThreeWayMerge(base: base, theirs: theirs, policy: policy, value: ours)
    schema.visit(&merge)
    let takenBack = merge.value.takeBackReferenced(from: [ours, theirs, base])
    let mended = merge.value.mendAfterLosses()
    return (merge.value, merge.conflicts, takenBack + mended)
  }

  /// The same value with the tables of another, and its own of all that is not a table.
  func replacingTables(with other: Self) -> Self {
    var copy = TableCopy(source: other, value: self)
    Self.schema.visit(&copy)
    return copy.value
  }
}

private struct TableCopy<Root: Model>: FieldVisitor {
  let source: Root
  var value: Root

  mutating func visit<Value>(_ name: String, _ table: TablePath<Root, Value>) {
    value[keyPath: table] = source[keyPath: table]
  }
}

private struct ThreeWayMerge<Root: Model>: FieldVisitor {
  let base: Root
  let theirs: Root
  let policy: MergePolicy
  /// Ours, as far as it is not merged yet.
  var value: Root
  var conflicts: [MergeConflict] = []

  mutating func visit<Value>(_ name: String, _ path: TablePath<Root, Value>) {
    let base = base[keyPath: path]
    let ours = value[keyPath: path]
    let changes = theirs[keyPath: path].changes(from: base)
    // A record of theirs that does not fit is left out, and all is done again without it: in the end with ours alone.
    var leftOut: Set<Value.ID> = []
    while true {
      let attempt = merge(changes.filter { !leftOut.contains($0.id) }, base, into: ours, name)
      guard let misfit = attempt.misfit else {
        value[keyPath: path] = attempt.table
        conflicts += attempt.conflicts
        for id in leftOut.sorted() { report(name, id, .leftTheirsOut) }
        return
      }
      leftOut.insert(misfit)
    }
  }

  /// - Returns: the table, or the id of a record that does not fit.
  private func merge<Value>(
    _ changes: [RecordChange<Value>], _ base: Table<Value>, into ours: Table<Value>, _ name: String
  ) -> (table: Table<Value>, conflicts: [MergeConflict], misfit: Value.ID?) {
    var merged = ours
    var conflicts: [MergeConflict] = []
    // Everything is taken out before anything is put in, because records may take keys that others had.
    var pending: [Value] = []
    for change in changes {
      let (mine, common) = (ours[change.id], base[change.id])
      if mine == change.after { continue }
      var after = change.after
      if mine != common {
        let decision = decide(name, change.id, base: common, ours: mine, theirs: after)
        conflicts += decision.conflicts
        if decision.record == mine { continue }
        after = decision.record
      }
      merged.remove(change.id)
      if let after { pending.append(after) }
    }
    for record in pending {
      do {
        try merged.upsert(record)
      } catch {
        return (ours, [], record.id)
      }
    }
    return (merged, conflicts, nil)
  }

  /// What becomes of a record that both sides changed in different ways.
  private func decide<Value: Record>(
    _ table: String, _ id: Value.ID, base: Value?, ours: Value?, theirs: Value?
  ) -> (record: Value?, conflicts: [MergeConflict]) {
    func conflict(_ resolution: MergeConflict.Resolution, _ properties: [String] = []) -> MergeConflict {
      MergeConflict(table: table, id: "\(id)", properties: properties, resolution: resolution)
    }
    guard let ours, let theirs else {
      if case .resolve(let choose) = policy {
        let both = MergePolicy.Conflict(table: table, properties: [], base: base, ours: ours, theirs: theirs)
        if (choose(both) == .ours) == (ours == nil) { return (nil, [conflict(.removed)]) }
      }
      return (ours ?? theirs, [conflict(ours == nil ? .keptTheirChange : .keptOurChange)])
    }
    let merge = RecordMerge(table, base: base, ours: ours, theirs: theirs, policy: policy)
    if merge.isWhole { return (merge.record, [conflict(merge.record == ours ? .tookOurs : .tookTheirs)]) }
    let tookOurs = merge.tookOurs.isEmpty ? [] : [conflict(.tookOurs, merge.tookOurs)]
    return (merge.record, tookOurs + (merge.tookTheirs.isEmpty ? [] : [conflict(.tookTheirs, merge.tookTheirs)]))
  }

  private mutating func report(_ table: String, _ id: some Any, _ resolution: MergeConflict.Resolution) {
    conflicts.append(MergeConflict(table: table, id: "\(id)", resolution: resolution))
  }
}
