/// The merge of one table. It decides which records come in, and which cannot because other records have their keys.
struct TableMerge<Value: Record> {
  /// The conflicts: records that both sides changed, and records that did not fit.
  private(set) var conflicts: [MergeConflict] = []
  /// Whether a record of theirs, or the one of ours in its place, did not fit.
  private(set) var hasLeftOut = false
  /// The additions and removals of each side in the table.
  private(set) var (ours, theirs) = (MergeSide(), MergeSide())
  /// Whether to give up instead of visiting all changes of the side with more changes.
  var isQuick = false
  private(set) var gaveUp = false
  /// Whether the caller already knows the changes of theirs.
  var isTheirSideKnown = false
  private let name: String
  private let policy: MergePolicy
  private let options: MergeOptions
  private let reportsEqualChanges: Bool
  private let keepsTheirs: Bool
  private let yieldsUnchanged: Bool
  private let ignoresDates: Bool
  /// The properties in which a record may differ and still count as unchanged.
  private let ignored: Set<ExactText>

  init(_ name: String, _ policy: MergePolicy, _ options: MergeOptions) {
    self.name = name
    self.policy = policy
    self.options = options
    reportsEqualChanges = options.contains(.reportsEqualChanges)
    keepsTheirs = options.contains(.keepsTheirs)
    yieldsUnchanged = options.contains(.yieldsUnchanged)
    ignoresDates = options.contains(.ignoresDates)
    ignored = Value.derivedKeys.union(ignoresDates ? Value.dateKeys : [])
  }

  /// The result for an id; nil removes the record.
  private typealias Decision = (id: Value.ID, box: RecordBox<Value>?)

  /// Merges a table. O(changes · log n) if the tables share their common content. The changes of the side with fewer
  /// changes are applied to the table of the other side. So a small change is cheap beside a large one.
  ///
  /// - Parameter bases: the possible bases; not empty. ``PropertyMerge`` says how several are treated.
  mutating func run(bases: [Table<Value>], ours: Table<Value>, theirs: Table<Value>) -> Table<Value> {
    if bases.allSatisfy({ ours.isIdentical(to: $0) && theirs.isIdentical(to: $0) }) { return ours }
    let ourChanges = bases.flatMap { ours.changedBoxes(since: $0) }
    for change in ourChanges { self.ours.note(name, change.before, change.after) }
    if bases.count == 1, !ignoresDates,
      keepsTheirs || theirs.differs(from: bases[0], inMoreThan: ourChanges.count)
    {
      if let merged = bring(ourChanges, into: theirs, since: bases[0]) { return merged }
      gaveUp = isQuick
      if isQuick { return ours }
    }
    var decisions: [Decision] = []
    for (id, after) in theirChanges(from: bases, theirs) {
      let mine = ours.tree[id]
      let before = bases.map { $0.tree[id] }
      // Ours is unchanged, or is the same as theirs.
      if before.allSatisfy({ areAlike(mine, $0) }) || yields(mine, before, after) {
        decisions.append((id, after))
      } else if !ignored.isEmpty, before.allSatisfy({ areAlike(after, $0) }) {
        continue
      } else if areAlike(mine, after), !isAddedTwice(before, mine) {
        reportEqual(id, mine)
      } else {
        let bases = yieldsUnchanged ? before.suffix(1) : before[...]
        let record = decide(id, bases.map { $0?.record }, mine?.record, after?.record)
        let box = record.map(RecordBox.init)
        if !RecordBox.areStoredAlike(box, mine) { decisions.append((id, box)) }
      }
    }
    return apply(decisions, to: ours)
  }

  /// Whether a record of ours gives way to theirs; see `MergeOptions.yieldsUnchanged`.
  private func yields(_ mine: RecordBox<Value>?, _ bases: [RecordBox<Value>?], _ theirs: RecordBox<Value>?) -> Bool {
    guard yieldsUnchanged, let newest = bases.last, areAlike(mine, newest) else { return false }
    return theirs != nil || bases.allSatisfy { $0 != nil }
  }

  private func areAlike(_ a: RecordBox<Value>?, _ b: RecordBox<Value>?) -> Bool {
    RecordBox.areStoredAlike(a, b, ignoring: ignored)
  }

  /// The records of theirs that differ from any base, ascending by id.
  private mutating func theirChanges(
    from bases: [Table<Value>], _ theirs: Table<Value>
  ) -> [(id: Value.ID, after: RecordBox<Value>?)] {
    var changes: [(id: Value.ID, after: RecordBox<Value>?)] = []
    for base in bases {
      for change in theirs.storedChanges(from: base) {
        self.theirs.note(name, change.before, change.after)
        changes.append((change.id, change.after))
      }
    }
    if bases.count == 1 { return changes }
    changes.sort { $0.id < $1.id }
    return changes.indices.filter { $0 == 0 || changes[$0].id != changes[$0 - 1].id }.map { changes[$0] }
  }

  /// Whether both sides added the record. They may have done the same independently.
  private func isAddedTwice(_ bases: [RecordBox<Value>?], _ other: RecordBox<Value>?) -> Bool {
    reportsEqualChanges && other != nil && bases.contains { $0 == nil }
  }

  /// The same from the other side, for few changes of ours and many of theirs. Returns nil, with nothing noted, if a
  /// record of theirs must be left out. The changes of theirs must then be visited one by one.
  private mutating func bring(
    _ ourChanges: [Table<Value>.StoredChange], into theirs: Table<Value>, since base: Table<Value>
  ) -> Table<Value>? {
    var merge = self
    var decisions: [Decision] = []
    for change in ourChanges {
      let other = theirs.tree[change.id]
      if other === change.before || areAlike(other, change.before) {
        decisions.append((change.id, change.after))
      } else if areAlike(change.after, change.before) {
        continue
      } else if areAlike(change.after, other), !isAddedTwice([change.before], other) {
        merge.reportEqual(change.id, other)
      } else {
        let record = merge.decide(change.id, [change.before?.record], change.after?.record, other?.record)
        let box = record.map(RecordBox.init)
        if !RecordBox.areStoredAlike(box, other) { decisions.append((change.id, box)) }
      }
    }
    var merged = theirs
    if keepsTheirs {
      merged = merge.apply(decisions, to: theirs)
    } else if !merged.takeAll(decisions) {
      return nil
    }
    self = merge
    if !isTheirSideKnown {
      for change in theirs.changedBoxes(since: base) { self.theirs.note(name, change.before, change.after) }
    }
    return merged
  }

  private mutating func reportEqual(_ id: Value.ID, _ box: RecordBox<Value>?) {
    if reportsEqualChanges { report(id, box == nil ? .removed : .tookOurs) }
  }

  /// The result for a record that both sides changed in different ways.
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
      name, bases: bases, ours: ours, theirs: theirs, rules: Value.mergeRules, policy: policy,
      options: options)
    for (resolution, properties) in merge.conflicts { report(id, resolution, properties) }
    return merge.record
  }

  /// Removes all records before it inserts any, because a record may take a key that another one had. A record that
  /// does not fit is left out, and ours stays in its place.
  private mutating func apply(_ decisions: [Decision], to ours: Table<Value>) -> Table<Value> {
    var merged = ours
    if merged.takeAll(decisions) { return merged }
    var leftOut: Set<Value.ID> = []
    for decision in decisions { merged.remove(decision.id) }
    for case (let id, let box?) in decisions where !merged.takes(box) {
      // The restored record may have lost its keys to another new record. That one then does not fit either.
      var misfits = [id]
      while let misfit = misfits.popLast() {
        leftOut.insert(misfit)
        guard let mine = ours.tree[misfit] else { continue }
        while let holder = merged.conflict(of: mine)?.conflict.holder {
          merged.remove(holder)
          misfits.append(holder)
        }
        _ = merged.takes(mine)
      }
    }
    hasLeftOut = !leftOut.isEmpty
    // What does not fit was not kept, whatever was decided before.
    let (ids, untrue) = (
      Set(leftOut.map { "\($0)" }), keepsTheirs ? MergeConflict.Resolution.keptOurChange : .keptTheirChange
    )
    if hasLeftOut { conflicts.removeAll { $0.resolution == untrue && ids.contains($0.id) } }
    for id in leftOut.sorted() { report(id, keepsTheirs ? .leftOursOut : .leftTheirsOut) }
    return merged
  }

  private mutating func report(
    _ id: Value.ID, _ resolution: MergeConflict.Resolution, _ properties: [String] = []
  ) {
    conflicts.append(MergeConflict(table: name, id: "\(id)", properties: properties, resolution: resolution))
  }
}

extension Table {
  /// Inserts and removes records: all of them, or none if one does not fit.
  fileprivate mutating func takeAll(_ decisions: [(id: ID, box: RecordBox<Value>?)]) -> Bool {
    var copy = self
    // A key path to a part of a tuple would be made anew by each call: it costs more than the changes of one record.
    _ = copy.remove(boxes: decisions.compactMap { $0.box == nil ? $0.id : nil })
    do throws(SnapshotError) {
      try copy.put(decisions.compactMap { $0.box })
    } catch {
      return false
    }
    self = copy
    return true
  }

  /// Inserts a record if it fits, and returns whether it does.
  mutating func takes(_ box: RecordBox<Value>) -> Bool {
    do throws(SnapshotError) {
      try put(box)
      return true
    } catch {
      return false
    }
  }
}
