/// The merge of a table or single value without a known type.
struct UntypedMerge {
  private let policy: MergePolicy

  init(_ policy: MergePolicy) { self.policy = policy }

  /// The merged table; nil if it is removed. Records are merged only if on every side each has an id of its own. Any
  /// other array, and one that a side removed, is merged as one value.
  ///
  /// - Parameter bases: the table in each possible base; not empty. ``PropertyMerge`` says how several are treated.
  func merge(
    _ name: String, bases: [UntypedTable?], ours: UntypedTable?, theirs: UntypedTable?
  ) -> (table: UntypedTable?, conflicts: [MergeConflict]) {
    if bases.allSatisfy(theirs.isSame(as:)) || ours.isSame(as: theirs) { return (ours, []) }
    if bases.allSatisfy(ours.isSame(as:)) { return (theirs, []) }
    // Both sides added the table, and one side's is still empty.
    let isAdded = bases.allSatisfy { $0 == nil }
    if isAdded, ours?.items.isEmpty == true { return (theirs, []) }
    if isAdded, theirs?.items.isEmpty == true { return (ours, []) }
    let key = UntypedTable.keyOfIDs(in: [ours, theirs] + bases)
    guard let ours, let theirs, let key, let mine = ours.items.byID(key), let other = theirs.items.byID(key),
      case let old = bases.compactMap({ ($0?.items ?? []).byID(key) }), old.count == bases.count
    else {
      let item = { (table: UntypedTable?) in table.map { Item(.array($0.items)) } }
      let (merged, conflicts) = merge(value: name, bases: bases.map(item), ours: item(ours), theirs: item(theirs))
      return (merged?.elements.map { UntypedTable(name: name, items: $0) }, conflicts)
    }
    let last = bases[bases.count - 1]?.items ?? []
    let order = MergedOrder(by: key).merged(base: last, ours: ours.items, theirs: theirs.items) {
      side(in: name, of: ["order"])
    }
    var (items, conflicts): ([Item], [MergeConflict]) = ([], [])
    for id in order.ids {
      let (item, conflict) = merge(name, key, bases: old.map { $0[id] }, ours: mine[id], theirs: other[id])
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
    value name: String, bases: [Item?], ours: Item?, theirs: Item?
  ) -> (item: Item?, conflicts: [MergeConflict]) {
    if let item = Self.unchanged(bases, ours, theirs) { return (item, []) }
    let areMergeable = ([ours, theirs] + bases).allSatisfy { $0.map { $0.allMembers != nil } ?? true }
    if areMergeable || ours == nil || theirs == nil {
      return merge(name, id: "", bases: bases, ours: ours, theirs: theirs)
    }
    let side = side(in: name)
    let item = side == .ours ? ours : side == .theirs ? theirs : bases[bases.count - 1]
    return (item, [MergeConflict(table: name, id: "", resolution: .took(side))])
  }

  /// The result if at most one side changed something; nil if both did.
  fileprivate static func unchanged(_ bases: [Item?], _ ours: Item?, _ theirs: Item?) -> Item?? {
    if Item.areSame(ours, theirs) || bases.allSatisfy({ Item.areSame(theirs, $0) }) { return .some(ours) }
    return bases.allSatisfy { Item.areSame(ours, $0) } ? .some(theirs) : nil
  }

  private func merge(
    _ table: String, _ key: ExactText, bases: [Item?], ours: Item?, theirs: Item?
  ) -> (item: Item?, conflicts: [MergeConflict]) {
    if let item = Self.unchanged(bases, ours, theirs) { return (item, []) }
    return merge(table, id: (ours ?? theirs)?[key]?.textOfID ?? "", bases: bases, ours: ours, theirs: theirs)
  }

  /// The merge of a record that both sides changed in different ways.
  private func merge(
    _ table: String, id: String, bases: [Item?], ours: Item?, theirs: Item?
  ) -> (item: Item?, conflicts: [MergeConflict]) {
    guard let ours, let theirs else {
      if case .base = policy {
        return (bases[bases.count - 1], [MergeConflict(table: table, id: id, resolution: .tookBase)])
      }
      let resolution: MergeConflict.Resolution = ours == nil ? .keptTheirChange : .keptOurChange
      return (ours ?? theirs, [MergeConflict(table: table, id: id, resolution: resolution)])
    }
    var merge = MemberMerge(
      bases: bases.map { $0?.allMembers ?? [] }, ours: ours.allMembers ?? [], theirs: theirs.allMembers ?? [])
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
  /// Those of each possible base; not empty.
  private let bases: [[ExactText: Item]]
  private let ours: [Item.Member]
  private let theirs: [Item.Member]
  /// The result: the keys of ours, then the keys that only theirs has.
  private(set) var members: [Item.Member] = []
  private var taken: [MergePolicy.Side: [String]] = [:]

  init(bases: [[Item.Member]], ours: [Item.Member], theirs: [Item.Member]) {
    self.bases = bases.map(\.byKey)
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
      let before = bases.map { $0[key] }
      if let unchanged = UntypedMerge.unchanged(before, mine[key], other[key]) {
        value = unchanged
      } else {
        let side = choose(key.text)
        taken[side, default: []].append(key.text)
        value = side == .ours ? mine[key] : side == .theirs ? other[key] : before[before.count - 1]
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
