/// The merge of one table: which records come in, and which cannot because others have their keys.
struct TableMerge<Value: Record> {
  /// What both sides changed, and what did not fit.
  private(set) var conflicts: [MergeConflict] = []
  /// Whether a record that one of the three had may be missing, so that something may refer to what is not there.
  private(set) var mayLackRecords = false
  /// Who has added records.
  private(set) var hasAdded = (ours: false, theirs: false)
  private let name: String
  private let policy: MergePolicy
  private let reportsEqualChanges: Bool
  /// The properties in which a record that counts as unchanged may differ.
  private let ignored: Set<String>

  init(_ name: String, _ policy: MergePolicy, _ options: MergeOptions) {
    self.name = name
    self.policy = policy
    reportsEqualChanges = options.contains(.reportsEqualChanges)
    ignored = options.contains(.ignoresDates) ? Value.dateKeys : []
  }

  /// What a record is to be; nil if it is to be gone.
  private typealias Decision = (id: Value.ID, box: RecordBox<Value>?)

  /// O(changes · log n) if the tables share what they have in common.
  ///
  /// - Parameter bases: what both may have been made from; not empty. See ``PropertyMerge`` for what it means that there are several.
  mutating func run(bases: [Table<Value>], ours: Table<Value>, theirs: Table<Value>) -> Table<Value> {
    var decisions: [Decision] = []
    for base in bases {
      ours.tree.forEachDifference(from: base.tree, areSame: { $0 === $1 }) { note($1, $2, by: .ours) }
    }
    for (id, after) in theirChanges(from: bases, theirs) {
      let mine = ours.tree[id]
      let before = bases.map { $0.tree[id] }
      // Ours is as it was, or theirs.
      if before.allSatisfy({ areAlike(mine, $0) }) {
        decisions.append((id, after))
      } else if areAlike(mine, after), !(reportsEqualChanges && mine != nil && before.contains { $0 == nil }) {
        if reportsEqualChanges { report(id, mine == nil ? .removed : .tookOurs) }
      } else {
        let record = decide(id, before.map { $0?.record }, mine?.record, after?.record)
        let box = record.map(RecordBox.init)
        if !RecordBox.areStoredAlike(box, mine) { decisions.append((id, box)) }
      }
    }
    return apply(decisions, to: ours)
  }

  private func areAlike(_ a: RecordBox<Value>?, _ b: RecordBox<Value>?) -> Bool {
    RecordBox.areStoredAlike(a, b, ignoring: ignored)
  }

  /// What they have in another way than any of the bases, ascending by id.
  private mutating func theirChanges(
    from bases: [Table<Value>], _ theirs: Table<Value>
  ) -> [(id: Value.ID, after: RecordBox<Value>?)] {
    var changes: [(id: Value.ID, after: RecordBox<Value>?)] = []
    for base in bases {
      for change in theirs.storedChanges(from: base) {
        note(change.before, change.after, by: .theirs)
        changes.append((change.id, change.after))
      }
    }
    if bases.count == 1 { return changes }
    changes.sort { $0.id < $1.id }
    return changes.indices.filter { $0 == 0 || changes[$0].id != changes[$0 - 1].id }.map { changes[$0] }
  }

  private mutating func note(_ before: RecordBox<Value>?, _ after: RecordBox<Value>?, by side: MergePolicy.Side) {
    if after == nil { mayLackRecords = true }
    if before == nil, side == .ours { hasAdded.ours = true }
    if before == nil, side == .theirs { hasAdded.theirs = true }
  }

  /// What becomes of a record that both sides changed in different ways.
  private mutating func decide(_ id: Value.ID, _ bases: [Value?], _ ours: Value?, _ theirs: Value?) -> Value? {
    let base = bases.compactMap { $0 }.last
    if case .base = policy, base == nil || ours == nil || theirs == nil {
      report(id, .tookBase)
      return base
    }
    guard let ours, let theirs else {
      if case .resolve(let choose) = policy {
        let both = MergePolicy.Conflict(table: name, properties: [], base: base, ours: ours, theirs: theirs)
        let side = choose(both)
        if side == .base {
          report(id, .tookBase)
          return base
        }
        if (side == .ours) == (ours == nil) {
          report(id, .removed)
          return nil
        }
      }
      report(id, ours == nil ? .keptTheirChange : .keptOurChange)
      return ours ?? theirs
    }
    let merge = RecordMerge(
      name, bases: bases, ours: ours, theirs: theirs, policy: policy, reportsEqualChanges: reportsEqualChanges)
    if let side = merge.wholeSide {
      report(id, .took(side))
    } else {
      if !merge.tookOurs.isEmpty { report(id, .tookOurs, merge.tookOurs) }
      if !merge.tookTheirs.isEmpty { report(id, .tookTheirs, merge.tookTheirs) }
      if !merge.tookBase.isEmpty { report(id, .tookBase, merge.tookBase) }
    }
    return merge.record
  }

  /// Everything is taken out before anything is put in, because records may take keys that others had. A record that does not fit
  /// is left out, and ours stays in its place.
  private mutating func apply(_ decisions: [Decision], to ours: Table<Value>) -> Table<Value> {
    var merged = ours
    var leftOut: Set<Value.ID> = []
    for decision in decisions { merged.remove(decision.id) }
    for case (let id, let box?) in decisions where !merged.takes(box) {
      // What is put back may have lost its keys to another that came in, which then does not fit either.
      var misfits = [id]
      while let misfit = misfits.popLast() {
        leftOut.insert(misfit)
        guard let mine = ours.tree[misfit] else { continue }
        while let holder = merged.conflict(of: mine)?.holder {
          merged.remove(holder)
          misfits.append(holder)
        }
        _ = merged.takes(mine)
      }
    }
    if !leftOut.isEmpty { mayLackRecords = true }
    for id in leftOut.sorted() { report(id, .leftTheirsOut) }
    return merged
  }

  private mutating func report(
    _ id: Value.ID, _ resolution: MergeConflict.Resolution, _ properties: [String] = []
  ) {
    conflicts.append(MergeConflict(table: name, id: "\(id)", properties: properties, resolution: resolution))
  }
}

extension Table {
  /// Puts a record in, if it fits; whether it does.
  mutating func takes(_ box: RecordBox<Value>) -> Bool {
    do throws(SnapshotError) {
      try put(box)
      return true
    } catch {
      return false
    }
  }
}
