/// The merge of a table or single value without a known type.
struct UntypedMerge {
  private let policy: MergePolicy

  init(_ policy: MergePolicy) { self.policy = policy }

  /// The merged table; nil if it is removed. Records are merged only if on every side each has an id of its own. Any
  /// other array, and one that a side removed, is merged as one value.
  func merge(
    _ name: String, base: UntypedTable?, ours: UntypedTable?, theirs: UntypedTable?
  ) -> (table: UntypedTable?, conflicts: [MergeConflict]) {
    if theirs.isSame(as: base) || ours.isSame(as: theirs) { return (ours, []) }
    if ours.isSame(as: base) { return (theirs, []) }
    // Both sides added the table, and one side's is still empty.
    if base == nil, ours?.items.isEmpty == true { return (theirs, []) }
    if base == nil, theirs?.items.isEmpty == true { return (ours, []) }
    let key = UntypedTable.keyOfIDs(in: [ours, theirs, base])
    guard let ours, let theirs, let key, let old = (base?.items ?? []).byID(key), let mine = ours.items.byID(key),
      let other = theirs.items.byID(key)
    else {
      let sides = [base, ours, theirs].map { $0.map { Item(.array($0.items)) } }
      let (item, conflicts) = merge(value: name, base: sides[0], ours: sides[1], theirs: sides[2])
      return (item?.elements.map { UntypedTable(name: name, items: $0) }, conflicts)
    }
    let order = MergedOrder(by: key).merged(base: base?.items ?? [], ours: ours.items, theirs: theirs.items) {
      side(in: name, of: ["order"])
    }
    var (items, conflicts): ([Item], [MergeConflict]) = ([], [])
    for id in order.ids {
      let (item, conflict) = merge(name, key, base: old[id], ours: mine[id], theirs: other[id])
      if let item { items.append(item) }
      conflicts += conflict
    }
    conflicts.sort { $0.id < $1.id }
    if let side = order.conflict {
      conflicts.append(MergeConflict(table: name, id: "", properties: ["order"], resolution: .took(side)))
    }
    return (UntypedTable(name: name, items: items), conflicts)
  }

  /// The side that the policy chooses for a whole table or value.
  private func side(in name: String, of properties: [String] = []) -> MergePolicy.Side {
    policy.side(
      of: MergePolicy.Conflict(table: name, properties: properties, base: nil, ours: nil, theirs: nil), later: .ours)
  }

  /// The merged value; nil if it is removed. It is merged key by key if all sides have keys. A value that one side
  /// removed and the other changed stays.
  func merge(
    value name: String, base: Item?, ours: Item?, theirs: Item?
  ) -> (item: Item?, conflicts: [MergeConflict]) {
    if Item.areSame(theirs, base) || Item.areSame(ours, theirs) { return (ours, []) }
    if Item.areSame(ours, base) { return (theirs, []) }
    let areMergeable = [base, ours, theirs].allSatisfy { $0.map { $0.allMembers != nil } ?? true }
    if areMergeable || ours == nil || theirs == nil {
      return merge(name, id: "", base: base, ours: ours, theirs: theirs)
    }
    let side = side(in: name)
    let item = side == .ours ? ours : side == .theirs ? theirs : base
    return (item, [MergeConflict(table: name, id: "", resolution: .took(side))])
  }

  private func merge(
    _ table: String, _ key: ExactText, base: Item?, ours: Item?, theirs: Item?
  ) -> (item: Item?, conflicts: [MergeConflict]) {
    if Item.areSame(theirs, base) || Item.areSame(ours, theirs) { return (ours, []) }
    if Item.areSame(ours, base) { return (theirs, []) }
    let id = (ours ?? theirs ?? base)?[key]?.textOfID ?? ""
    return merge(table, id: id, base: base, ours: ours, theirs: theirs)
  }

  /// The merge of a record that both sides changed in different ways.
  private func merge(
    _ table: String, id: String, base: Item?, ours: Item?, theirs: Item?
  ) -> (item: Item?, conflicts: [MergeConflict]) {
    guard let ours, let theirs else {
      if case .base = policy { return (base, [MergeConflict(table: table, id: id, resolution: .tookBase)]) }
      let resolution: MergeConflict.Resolution = ours == nil ? .keptTheirChange : .keptOurChange
      return (ours ?? theirs, [MergeConflict(table: table, id: id, resolution: resolution)])
    }
    var merge = MemberMerge(
      base: base?.allMembers ?? [], ours: ours.allMembers ?? [], theirs: theirs.allMembers ?? [])
    merge.run { key in
      policy.side(
        of: MergePolicy.Conflict(table: table, properties: [key], base: nil, ours: nil, theirs: nil), later: .ours)
    }
    let conflicts = merge.conflicts.map { MergeConflict(table: table, id: id, properties: $1, resolution: $0) }
    return (Item(.dictionary(merge.members)), conflicts)
  }
}

/// The merge of two lists of members, key by key.
struct MemberMerge {
  private let base: [ExactText: Item]
  private let ours: [Item.Member]
  private let theirs: [Item.Member]
  /// The result: the keys of ours, then the keys that only theirs has.
  private(set) var members: [Item.Member] = []
  private var taken: [MergePolicy.Side: [String]] = [:]

  init(base: [Item.Member], ours: [Item.Member], theirs: [Item.Member]) {
    self.base = base.byKey
    self.ours = ours
    self.theirs = theirs
  }

  /// The keys that both changed in different ways, grouped by the side that was taken.
  var conflicts: [(MergeConflict.Resolution, [String])] {
    [.ours, .theirs, .base].compactMap { side in taken[side].map { (.took(side), $0) } }
  }

  /// - Parameter choose: returns the side for a key that both changed in different ways.
  mutating func run(_ choose: (String) -> MergePolicy.Side) {
    let (mine, other) = (ours.byKey, theirs.byKey)
    for key in ours.map(\.key) + theirs.map(\.key).filter({ mine[$0] == nil }) {
      let value: Item?
      if Item.areSame(other[key], base[key]) || Item.areSame(mine[key], other[key]) {
        value = mine[key]
      } else if Item.areSame(mine[key], base[key]) {
        value = other[key]
      } else {
        let side = choose(key.text)
        taken[side, default: []].append(key.text)
        value = side == .ours ? mine[key] : side == .theirs ? other[key] : base[key]
      }
      if let value { members.append(Item.Member(key: key, value: value)) }
    }
  }
}

extension UntypedTable? {
  fileprivate func isSame(as other: UntypedTable?) -> Bool {
    guard let self, let other else { return (self == nil) == (other == nil) }
    return Item.areSame(Item(.array(self.items)), Item(.array(other.items)))
  }
}

extension MergePolicy {
  /// The side that the policy chooses for a conflict.
  func side(of conflict: @autoclosure () -> Conflict, later: @autoclosure () -> Side) -> Side {
    switch self {
    case .ours, .fail: .ours
    case .theirs: .theirs
    case .base: .base
    case .newest: later()
    case .resolve(let choose): choose(conflict())
    }
  }
}

extension MergeConflict.Resolution {
  /// The resolution for a side that was taken.
  static func took(_ side: MergePolicy.Side) -> Self {
    switch side {
    case .ours: .tookOurs
    case .theirs: .tookTheirs
    case .base: .tookBase
    }
  }
}
