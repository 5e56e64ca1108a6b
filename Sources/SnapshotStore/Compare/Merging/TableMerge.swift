/// The merge of one table: which records come in, and which cannot because others have their keys.
struct TableMerge<Value: Record> {
  /// What both sides changed, and what did not fit.
  private(set) var conflicts: [MergeConflict] = []
  /// Whether a record of theirs, or one of ours in its place, did not fit.
  private(set) var hasLeftOut = false
  /// What each side has done to the table.
  private(set) var (ours, theirs) = (MergeSide(), MergeSide())
  /// Whether to give up rather than to look at all changes of the side that has more of them.
  var isQuick = false
  private(set) var gaveUp = false
  /// Whether nobody asks what theirs has done.
  var isTheirSideKnown = false
  private let name: String
  private let policy: MergePolicy
  private let reportsEqualChanges: Bool
  /// The properties in which a record that counts as unchanged may differ.
  private let ignored: Set<ExactText>

  init(_ name: String, _ policy: MergePolicy, _ options: MergeOptions) {
    self.name = name
    self.policy = policy
    reportsEqualChanges = options.contains(.reportsEqualChanges)
    ignored = options.contains(.ignoresDates) ? Value.dateKeys : []
  }

  /// What a record is to be; nil if it is to be gone.
  private typealias Decision = (id: Value.ID, box: RecordBox<Value>?)

  /// O(changes · log n) if the tables share what they have in common. The changes of the side that has fewer of them are made in the
  /// table of the other, so that little costs little beside much.
  ///
  /// - Parameter bases: what both may have been made from; not empty. See ``PropertyMerge`` for what it means that there are several.
  mutating func run(bases: [Table<Value>], ours: Table<Value>, theirs: Table<Value>) -> Table<Value> {
    let ourChanges = bases.flatMap { ours.changedBoxes(since: $0) }
    for change in ourChanges { self.ours.note(name, change.before, change.after) }
    if bases.count == 1, ignored.isEmpty, theirs.differs(from: bases[0], inMoreThan: ourChanges.count) {
      if let merged = bring(ourChanges, into: theirs, since: bases[0]) { return merged }
      gaveUp = isQuick
      if isQuick { return ours }
    }
    var decisions: [Decision] = []
    for (id, after) in theirChanges(from: bases, theirs) {
      let mine = ours.tree[id]
      let before = bases.map { $0.tree[id] }
      // Ours is as it was, or theirs.
      if before.allSatisfy({ areAlike(mine, $0) }) {
        decisions.append((id, after))
      } else if areAlike(mine, after), !isAddedTwice(before, mine) {
        reportEqual(id, mine)
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
        self.theirs.note(name, change.before, change.after)
        changes.append((change.id, change.after))
      }
    }
    if bases.count == 1 { return changes }
    changes.sort { $0.id < $1.id }
    return changes.indices.filter { $0 == 0 || changes[$0].id != changes[$0 - 1].id }.map { changes[$0] }
  }

  /// Whether both sides have added the record, which says nothing about whether they did the same by chance.
  private func isAddedTwice(_ bases: [RecordBox<Value>?], _ other: RecordBox<Value>?) -> Bool {
    reportsEqualChanges && other != nil && bases.contains { $0 == nil }
  }

  /// The same from the other side, for few changes of ours and many of theirs. Nil, with nothing noted, if one does not fit: then theirs
  /// have to be looked at one by one.
  private mutating func bring(
    _ ourChanges: [Table<Value>.StoredChange], into theirs: Table<Value>, since base: Table<Value>
  ) -> Table<Value>? {
    var merge = self
    var decisions: [Decision] = []
    for change in ourChanges {
      let other = theirs.tree[change.id]
      if other === change.before || RecordBox.areStoredAlike(other, change.before) {
        decisions.append((change.id, change.after))
      } else if RecordBox.areStoredAlike(change.after, change.before) {
        continue
      } else if RecordBox.areStoredAlike(change.after, other), !isAddedTwice([change.before], other) {
        merge.reportEqual(change.id, other)
      } else {
        let record = merge.decide(change.id, [change.before?.record], change.after?.record, other?.record)
        let box = record.map(RecordBox.init)
        if !RecordBox.areStoredAlike(box, other) { decisions.append((change.id, box)) }
      }
    }
    var merged = theirs
    guard merged.takeAll(decisions) else { return nil }
    self = merge
    if !isTheirSideKnown {
      for change in theirs.changedBoxes(since: base) { self.theirs.note(name, change.before, change.after) }
    }
    return merged
  }

  private mutating func reportEqual(_ id: Value.ID, _ box: RecordBox<Value>?) {
    if reportsEqualChanges { report(id, box == nil ? .removed : .tookOurs) }
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
      name, bases: bases, ours: ours, theirs: theirs, rules: Value.mergeRules, policy: policy,
      reportsEqualChanges: reportsEqualChanges)
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
    if merged.takeAll(decisions) { return merged }
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
    hasLeftOut = !leftOut.isEmpty
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
  /// Puts records in and takes others out, all of them or, if one does not fit, none.
  fileprivate mutating func takeAll(_ decisions: [(id: ID, box: RecordBox<Value>?)]) -> Bool {
    var copy = self
    _ = copy.remove(boxes: decisions.filter { $0.box == nil }.map(\.id))
    do throws(SnapshotError) {
      try copy.put(decisions.compactMap(\.box))
    } catch {
      return false
    }
    self = copy
    return true
  }

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
