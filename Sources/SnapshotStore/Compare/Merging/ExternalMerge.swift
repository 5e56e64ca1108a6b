/// The merge of an external change with ours, from the versions that it may have been made from.
///
/// Content that the schema does not know is merged in three ways too. A store does not change it, so our side is the
/// content that the file held last. Changes and removals of theirs are taken. If theirs may have been made from an
/// older version, it may only lack later changes. Then our content stays, and is reported.
struct ExternalMerge<Root: Model> {
  let theirs: SnapshotContent<Root>
  let origins: MergeOrigins<Root>
  /// The content that the file held last.
  let newest: SnapshotContent<Root>
  var policy = MergePolicy.ours
  var options: MergeOptions = []
  /// Whether stores have made both sides from the one version. Then no reference is broken, and a merge costs what both
  /// have changed.
  var isOfStores = false
  /// The unknown content of our side; nil if that is the one of the newest version.
  var ourUnknown: UnknownContent?

  /// The result of the merge.
  struct Result {
    let content: SnapshotContent<Root>
    let conflicts: [MergeConflict]
    let repaired: [Violation]
    /// Whether theirs may have content that the merged value does not have.
    let losesTheirs: Bool
    /// Whether the merged content has unknown content that theirs does not have, or has in another form.
    let keepsOurUnknown: Bool
  }

  func run(_ ours: Root) -> Result {
    var (content, conflicts) = mergeUnknown(SnapshotContent(ours, ourUnknown ?? newest.unknown))
    let merged = merge(content.ours.value, content.theirs.value)
    content.ours.value = merged.value
    conflicts = merged.conflicts + conflicts
    if !origins.isNewest {
      let older = passedOver(by: content.ours, ours, known: conflicts)
      conflicts += older.values + older.unknown
    }
    return Result(
      content: content.ours, conflicts: conflicts, repaired: merged.repaired,
      losesTheirs: origins.isUnknown || conflicts.contains(where: \.losesTheirs) || !merged.repaired.isEmpty,
      keepsOurUnknown: !content.ours.hasSameUnknown(as: theirs))
  }

  private func merge(
    _ ours: Root, _ theirs: Root
  ) -> (value: Root, conflicts: [MergeConflict], repaired: [Violation]) {
    if isOfStores, origins.values.count == 1 {
      return Root.mergingWhole(
        base: origins.values[0], ours: ours, theirs: theirs, policy: policy, options: options)
    }
    return Root.merging(bases: origins.values, ours: ours, theirs: theirs, policy: policy, options: options)
  }

  private typealias Sides = (ours: SnapshotContent<Root>, theirs: SnapshotContent<Root>)

  /// Merges the unknown content. Both sides also get the records that their unknown content keeps.
  private func mergeUnknown(_ ours: SnapshotContent<Root>) -> (sides: Sides, conflicts: [MergeConflict]) {
    var merge = UnknownMerge(bases: origins.contents, ours: ours, theirs: theirs, policy: .ours)
    let unknown = merge.run()
    return ((SnapshotContent(merge.ours.value, unknown), merge.theirs), merge.conflicts)
  }

  /// The changes that theirs would have made if it had read the newest version. They may be leftovers of an older
  /// version, or a change back to it. They are not taken, but they are reported.
  private func passedOver(
    by merged: SnapshotContent<Root>, _ ours: Root, known: [MergeConflict]
  ) -> (values: [MergeConflict], unknown: [MergeConflict]) {
    let direct = Root.merging(bases: [newest.value], ours: ours, theirs: theirs.value)
    var unknown = UnknownMerge(
      bases: [newest], ours: SnapshotContent(ours, ourUnknown ?? newest.unknown), theirs: theirs, policy: .ours)
    let plain = SnapshotContent(direct.value, unknown.run())
    var search = PassedOver(merged: merged, plain: plain)
    Root.schema.visit(&search)
    search.compareWholes()
    search.add(direct.conflicts)
    let told = Told(known)
    return (search.values.compactMap(told.rest(of:)), search.unknown.compactMap(told.rest(of:)))
  }
}

/// The conflicts that a report names already.
private struct Told {
  /// The records and values of which nothing more need be said. What is told of a record need not be told of its table.
  private let wholes: Set<[String]>
  /// The properties of single values.
  private let properties: [String: Set<String>]

  init(_ conflicts: [MergeConflict]) {
    let isOfProperties = { (conflict: MergeConflict) in conflict.id.isEmpty && !conflict.properties.isEmpty }
    wholes = Set(conflicts.filter { !isOfProperties($0) }.flatMap { [[$0.table, $0.id], [$0.table, ""]] })
    properties = Dictionary(grouping: conflicts.filter(isOfProperties), by: \.table)
      .mapValues { Set($0.flatMap(\.properties)) }
  }

  /// What is not told of a conflict; nil if all is.
  func rest(of conflict: MergeConflict) -> MergeConflict? {
    if wholes.contains([conflict.table, conflict.id]) { return nil }
    guard conflict.id.isEmpty, let told = properties[conflict.table] else { return conflict }
    let rest = conflict.properties.filter { !told.contains($0) }
    if rest.isEmpty { return nil }
    return MergeConflict(table: conflict.table, id: "", properties: rest, resolution: conflict.resolution)
  }
}

/// Finds the differences between the merged value and a merge from the newest version.
private struct PassedOver<Root: Model>: FieldVisitor {
  let merged: SnapshotContent<Root>
  let plain: SnapshotContent<Root>
  private(set) var values: [MergeConflict] = []
  /// The unknown content that differs in records and values that are otherwise the same.
  private(set) var unknown: [MergeConflict] = []

  mutating func visit<Value>(_ name: String, _ path: TablePath<Root, Value>) {
    if Root.schema.derivedFields.contains(name) { return }
    let (table, derived) = (merged.value[keyPath: path], Value.derivedKeys)
    let changed = plain.value[keyPath: path].storedChanges(from: table)
      .filter { !RecordBox.areStoredAlike($0.before, $0.after, ignoring: derived) }.map(\.id)
    values += changed.map { Self.older(name, "\($0)") }
    let (mine, other) = (
      merged.unknown.members(in: name, of: Value.self), plain.unknown.members(in: name, of: Value.self)
    )
    for id in Set(mine.keys).union(other.keys).subtracting(changed).sorted() where table[id] != nil {
      let keys = Self.difference(mine[id] ?? [], other[id] ?? [])
      if !keys.isEmpty { unknown.append(Self.older(name, "\(id)", keys)) }
    }
  }

  mutating func visit<Value>(_ name: String, value path: ValuePath<Root, Value>) {
    if Root.schema.derivedFields.contains(name) { return }
    let (value, other) = (merged.value[keyPath: path], plain.value[keyPath: path])
    guard SingleValueCoding.areStoredAlike(value, other) else {
      let members = [Item.Member](of: value).flatMap { mine in [Item.Member](of: other).map { (mine, $0) } }
      return values.append(Self.older(name, "", members.map(Self.difference) ?? []))
    }
    let keys = Self.difference(merged.unknown.members(ofValue: name), plain.unknown.members(ofValue: name))
    if !keys.isEmpty { unknown.append(Self.older(name, "", keys)) }
  }

  /// Compares tables and single values that the schema does not know.
  mutating func compareWholes() {
    let names = Self.difference(Self.wholes(merged.unknown), Self.wholes(plain.unknown))
    unknown += names.map { Self.older($0, "") }
  }

  /// Adds what both sides have changed since the newest version, and what has the same result in both merges.
  mutating func add(_ conflicts: [MergeConflict]) {
    for conflict in conflicts.compactMap(Told(values).rest(of:)) {
      switch conflict.resolution {
      case .tookOurs, .keptOurChange:
        values.append(Self.older(conflict.table, conflict.id, conflict.id.isEmpty ? conflict.properties : []))
      case .keptTheirChange: values.append(conflict)
      default: break
      }
    }
  }

  private static func wholes(_ unknown: UnknownContent) -> [Item.Member] {
    unknown.tables.map { Item.Member(key: ExactText($0.name), value: Item(.array($0.items))) }
      + unknown.values.map { Item.Member(key: ExactText($0.name), value: $0.item) }
  }

  /// The keys whose values differ between two lists, sorted.
  private static func difference(_ a: [Item.Member], _ b: [Item.Member]) -> [String] {
    a.byKey.keysDiffering(from: b.byKey).sorted().map(\.text)
  }

  private static func older(_ name: String, _ id: String, _ keys: [String] = []) -> MergeConflict {
    MergeConflict(table: name, id: id, properties: keys, resolution: .tookOursOverOlder)
  }
}
