/// Finds the versions from which a value can have been made, by the contents that it shares with them.
///
/// Only unmistakable values count: a text of some length, a large number, or a date with seconds. If the value shares
/// one with some versions only, its author has read one of these. Short values, flags and missing records prove
/// nothing, because two programs may produce them independently. They leave several versions plausible. A merge then
/// treats a property in which these versions differ as a conflict.
struct OriginEvidence<Root: Model> {
  /// The versions that no evidence excludes, ascending. Empty if every version is excluded.
  private(set) var plausible: [Int]
  /// The first version that has all that the value proves to have read. What it was made from is no older, even if that
  /// is none of the versions. 0 if it proves nothing.
  private(set) var earliest: Int

  /// O(changes · log n) for versions that share their common content with each other and with the value.
  init(theirs: Root, versions: [Root]) {
    var search = EvidenceSearch(theirs: theirs, versions: versions, weights: EvidenceWeights(versions.count))
    Root.schema.visit(&search)
    plausible = versions.indices.filter { search.weights.isPlausible[$0] }
    earliest = search.weights.earliest
  }
}

extension OriginEvidence {
  /// Those of some contents that theirs may have read, by what it has of their unknown content. All of them, and one
  /// without unknown content, if each is excluded.
  static func contents(
    of known: [SnapshotContent<Root>], readBy theirs: SnapshotContent<Root>
  ) -> [SnapshotContent<Root>] {
    if known.dropFirst().allSatisfy({ $0.unknown.isSame(as: known[0].unknown) }) { return known }
    var search = UnknownEvidenceSearch<Root>(
      theirs: theirs.unknown, versions: known.map(\.unknown), weights: EvidenceWeights(known.count))
    search.run()
    let plausible = known.indices.filter { search.weights.isPlausible[$0] }
    if !plausible.isEmpty { return plausible.map { known[$0] } }
    return [SnapshotContent(known[known.count - 1].value)] + known
  }
}

/// The versions that stay plausible, by the members of records and single values.
private struct EvidenceWeights {
  private(set) var isPlausible: [Bool]
  private(set) var earliest = 0

  init(_ count: Int) { isPlausible = Array(repeating: true, count: count) }

  /// Compares a record or single value with its versions, if they differ.
  mutating func weigh(_ members: [Item.Member]?, _ properties: [[ExactText: Item]]) {
    guard let members else { return }
    for member in members where member.value.isUnmistakable {
      let isSame = properties.map { Item.areSame($0[member.key], member.value) }
      guard let first = isSame.firstIndex(of: true) else { continue }
      earliest = max(earliest, first)
      for index in isSame.indices where !isSame[index] { isPlausible[index] = false }
    }
  }
}

private struct UnknownEvidenceSearch<Root: Model>: FieldVisitor {
  let theirs: UnknownContent
  let versions: [UnknownContent]
  var weights: EvidenceWeights

  mutating func run() {
    Root.schema.visit(&self)
    let (tables, all) = (theirs.tables.byName, versions.map(\.tables.byName))
    for (name, table) in tables { weigh(table, all.map { $0[name] }) }
    let (values, others) = (theirs.valuesByName, versions.map(\.valuesByName))
    for (name, value) in values { weigh(value, others.map { $0[name] }) }
  }

  mutating func visit<Value>(_ name: String, _ path: TablePath<Root, Value>) {
    let all = versions.map { $0.members(in: name, of: Value.self) }
    for (id, members) in theirs.members(in: name, of: Value.self) {
      weigh(Item(.dictionary(members)), all.map { $0[id].map { Item(.dictionary($0)) } })
    }
  }

  mutating func visit<Value>(_ name: String, value path: ValuePath<Root, Value>) {
    weigh(
      Item(.dictionary(theirs.members(ofValue: name))),
      versions.map { Item(.dictionary($0.members(ofValue: name))) })
  }

  private mutating func weigh(_ table: UntypedTable, _ versions: [UntypedTable?]) {
    guard let key = UntypedTable.keyOfIDs(in: [table] + versions), let records = table.items.byID(key),
      case let all = versions.compactMap({ ($0?.items ?? []).byID(key) }), all.count == versions.count
    else { return weigh(Item(.array(table.items)), versions.map { $0.map { Item(.array($0.items)) } }) }
    for (id, record) in records { weigh(record, all.map { $0[id] }) }
  }

  private mutating func weigh(_ item: Item, _ versions: [Item?]) {
    if versions.dropFirst().allSatisfy({ Item.areSame($0, versions[0]) }) { return }
    guard let members = item.allMembers else {
      return weights.weigh([Item.Member(key: "", value: item)], versions.map { $0.map { ["": $0] } ?? [:] })
    }
    weights.weigh(members, versions.map { $0?.allMembers?.byKey ?? [:] })
  }
}

private struct EvidenceSearch<Root: Model>: FieldVisitor {
  let theirs: Root
  let versions: [Root]
  var weights: EvidenceWeights

  mutating func visit<Value>(_ name: String, _ path: TablePath<Root, Value>) {
    let tables = versions.map { $0[keyPath: path] }
    var changed: Set<Value.ID> = []
    for (old, new) in zip(tables, tables.dropFirst()) {
      new.tree.forEachDifference(from: old.tree, areSame: { $0 === $1 }) { id, _, _ in changed.insert(id) }
    }
    for id in changed {
      if let box = theirs[keyPath: path].tree[id] { weigh(box, tables.map { $0.tree[id] }) }
    }
  }

  mutating func visit<Value>(_ name: String, value path: ValuePath<Root, Value>) {
    let values = versions.map { $0[keyPath: path] }
    if zip(values, values.dropFirst()).allSatisfy({ SingleValueCoding.areStoredAlike($0, $1) }) { return }
    weights.weigh(Self.members(theirs[keyPath: path]), values.map { Self.members($0)?.byKey ?? [:] })
  }

  private mutating func weigh<Value>(_ theirs: RecordBox<Value>, _ versions: [RecordBox<Value>?]) {
    var known: (box: RecordBox<Value>?, members: [ExactText: Item]) = (nil, [:])
    let properties = versions.map { box in
      // Most versions of a record are the same.
      if box !== known.box { known = (box, box.flatMap { Self.members($0.record)?.byKey } ?? [:]) }
      return known.members
    }
    weights.weigh(Self.members(theirs.record), properties)
  }

  private static func members(_ value: some SingleValue) -> [Item.Member]? {
    guard let item = try? ItemEncoder.item(forRecord: value) else { return nil }
    if case .dictionary(let members) = item.content { return members }
    return [Item.Member(key: "", value: item)]
  }
}

extension Item {
  /// Whether two programs are unlikely to produce the value independently.
  fileprivate var isUnmistakable: Bool {
    switch content {
    case .null, .bool: false
    case .integer(let number): number.magnitude >= 1 << 20
    case .unsigned, .decimal: true
    case .real(let number): number != number.rounded() || abs(number) >= 0x1p20
    // A time with seconds, not a whole day or hour.
    case .date(let seconds): seconds.truncatingRemainder(dividingBy: 60) != 0
    case .string(let text): text.utf8.count >= 8
    case .data(let bytes): bytes.count >= 8
    case .array(let items): items.contains { $0.isUnmistakable }
    case .dictionary(let members): members.contains { $0.value.isUnmistakable }
    }
  }
}
