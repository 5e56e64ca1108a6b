/// Merging of content that the schema does not know.
extension SnapshotContent {
  /// Merges contents like ``Model/merging(base:ours:theirs:policy:)``, including content that the schema does not know.
  ///
  /// - Unknown keys are merged as properties of their records and single values.
  /// - Unknown tables are merged record by record, unknown single values key by key.
  /// - An array is a table if on every side each of its records has an id of its own. Records are found by their ids,
  ///   in any order, and an order that one side changed stays. Any other array is merged as a whole.
  /// - A record that one side removed stays if the other side changed an unknown key of it.
  ///
  /// Costs O(unknown keys · log n) more than the merge of the values.
  ///
  /// - Parameters:
  ///   - base: the content that both were made from.
  ///   - ours: the side into which theirs is merged.
  ///   - theirs: the other side.
  ///   - policy: the winner where both sides changed the same property.
  public static func merging(
    base: SnapshotContent, ours: SnapshotContent, theirs: SnapshotContent, policy: MergePolicy = .ours
  ) -> (content: SnapshotContent, conflicts: [MergeConflict], repaired: [Violation]) {
    var merge = UnknownMerge(bases: [base], ours: ours, theirs: theirs, policy: policy)
    let unknown = merge.run()
    let merged = Root.merging(
      base: base.value, ours: merge.ours.value, theirs: merge.theirs.value, policy: policy)
    var content = SnapshotContent(merged.value)
    content.unknown = unknown
    return (content, merged.conflicts + merge.conflicts, merged.repaired)
  }

  /// Adds the unknown content of another content, for which the common base is not known. The result has all that
  /// either side has. If the values are merged too, call this first. O(unknown keys · log n).
  ///
  /// - Parameters:
  ///   - other: the other content.
  ///   - policy: the winner where both have different values under one key of a record. By default it is the side that
  ///     changed the record later, by the date that its ``Record/mergeRules`` name.
  /// - Returns: the keys under which both have different values, as conflicts.
  @discardableResult
  public mutating func mergeUnknown(from other: SnapshotContent, policy: MergePolicy = .newest) -> [MergeConflict] {
    var merge = UnknownMerge(bases: [SnapshotContent(Root())], ours: self, theirs: other, policy: policy)
    unknown = merge.run()
    return merge.conflicts
  }
}

/// Merges the unknown content of two contents that were made from one base, or from one of several.
struct UnknownMerge<Root: Model>: FieldVisitor {
  /// The contents that both may have been made from; not empty. ``PropertyMerge`` says how several are treated.
  private let bases: [SnapshotContent<Root>]
  /// The two sides. Each also has its removed records of which the other side changed unknown keys.
  private(set) var ours: SnapshotContent<Root>
  private(set) var theirs: SnapshotContent<Root>
  private let policy: MergePolicy
  private(set) var conflicts: [MergeConflict] = []
  private var merged = UnknownContent()

  init(
    bases: [SnapshotContent<Root>], ours: SnapshotContent<Root>, theirs: SnapshotContent<Root>, policy: MergePolicy
  ) {
    self.bases = bases
    self.ours = ours
    self.theirs = theirs
    self.policy = policy
  }

  mutating func run() -> UnknownContent {
    Root.schema.visit(&self)
    conflicts += merged.takeMerged(
      bases: bases.map(\.unknown), ours: ours.unknown, theirs: theirs.unknown, policy)
    return merged
  }

  mutating func visit<Value>(_ name: String, _ path: TablePath<Root, Value>) {
    let old = bases.map { $0.unknown.members(in: name, of: Value.self) }
    let (mine, other) = (
      ours.unknown.members(in: name, of: Value.self), theirs.unknown.members(in: name, of: Value.self)
    )
    let ids = Set((old + [mine, other]).flatMap(\.keys))
    if ids.isEmpty { return }
    var members: [Value.ID: [Item.Member]] = [:]
    for id in ids.sorted() {
      let before = bases.indices.map { index in
        (box: bases[index].value[keyPath: path].tree[id], members: old[index][id] ?? [])
      }
      let own = merge(Sides(bases: before, ours: mine[id] ?? [], theirs: other[id] ?? []), name, path, id)
      if !own.isEmpty { members[id] = own }
    }
    merged.set(members, of: name, Value.self)
  }

  mutating func visit<Value>(_ name: String, value path: ValuePath<Root, Value>) {
    let sides = (bases + [ours, theirs]).map { $0.unknown.members(ofValue: name) }
    if sides.allSatisfy(\.isEmpty) { return }
    let values = [bases[bases.count - 1], ours, theirs].map { $0.value[keyPath: path] }
    var merge = MemberMerge(
      bases: Array(sides.dropLast(2)), ours: sides[bases.count], theirs: sides[bases.count + 1])
    merge.run { key in
      // A single value has no date of change, so neither side is later.
      policy.side(
        of: MergePolicy.Conflict(
          table: name, properties: [key], base: values[0], ours: values[1], theirs: values[2]), later: .ours)
    }
    for (resolution, keys) in merge.conflicts { report(name, "", keys, resolution) }
    merged.set(merge.members, ofValue: name)
  }

  /// The unknown members of a record, and the record in each base.
  private typealias Sides<Value: Record> = (
    bases: [(box: RecordBox<Value>?, members: [Item.Member])], ours: [Item.Member], theirs: [Item.Member]
  )

  private mutating func merge<Value>(
    _ sides: Sides<Value>, _ name: String, _ path: TablePath<Root, Value>, _ id: Value.ID
  ) -> [Item.Member] {
    let before = sides.bases.last { $0.box != nil }?.box
    switch (ours.value[keyPath: path].tree[id], theirs.value[keyPath: path].tree[id]) {
    case (nil, nil): return []
    case (let mine?, nil):
      guard let before, isChanged(sides.ours, since: sides) else { return sides.ours }
      // If the record itself was changed, its own merge keeps and reports it.
      if RecordBox.areStoredAlike(mine, before), theirs.value[keyPath: path].takes(before) {
        report(name, id, [], .keptOurChange)
      }
      return sides.ours
    case (nil, let other?):
      guard let before, isChanged(sides.theirs, since: sides) else { return sides.theirs }
      if RecordBox.areStoredAlike(other, before), ours.value[keyPath: path].takes(before) {
        report(name, id, [], .keptTheirChange)
      }
      return sides.theirs
    case (let mine?, let other?):
      var merge = MemberMerge(
        bases: sides.bases.map { $0.box == nil ? [] : $0.members }, ours: sides.ours, theirs: sides.theirs)
      merge.run { key in
        let conflict = MergePolicy.Conflict(
          table: name, properties: [key], base: before?.record, ours: mine.record, theirs: other.record)
        return policy.side(
          of: conflict,
          later: RecordMerge.laterSide(ours: mine.record, theirs: other.record, rules: Value.mergeRules))
      }
      for (resolution, keys) in merge.conflicts { report(name, id, keys, resolution) }
      return merge.members
    }
  }

  /// Whether the unknown members of a record differ from those in a base that has the record.
  private func isChanged<Value>(_ members: [Item.Member], since sides: Sides<Value>) -> Bool {
    sides.bases.contains { $0.box != nil && !members.isSame(as: $0.members) }
  }

  private mutating func report(
    _ table: String, _ id: some Any, _ keys: [String], _ resolution: MergeConflict.Resolution
  ) {
    conflicts.append(MergeConflict(table: table, id: "\(id)", properties: keys, resolution: resolution))
  }
}

extension [Item.Member] {
  /// Whether two lists are written in the same way. Both are sorted by key.
  fileprivate func isSame(as other: Self) -> Bool { Item.areSame(Item(.dictionary(self)), Item(.dictionary(other))) }
}
