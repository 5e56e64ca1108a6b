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
    var search = EvidenceSearch(theirs: theirs, versions: versions, isPlausible: versions.map { _ in true })
    Root.schema.visit(&search)
    plausible = versions.indices.filter { search.isPlausible[$0] }
    earliest = search.earliest
  }
}

private struct EvidenceSearch<Root: Model>: FieldVisitor {
  let theirs: Root
  let versions: [Root]
  var isPlausible: [Bool]
  var earliest = 0

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
    weigh(Self.members(theirs[keyPath: path]), values.map { Self.members($0)?.byKey ?? [:] })
  }

  private mutating func weigh<Value>(_ theirs: RecordBox<Value>, _ versions: [RecordBox<Value>?]) {
    var known: (box: RecordBox<Value>?, members: [ExactText: Item]) = (nil, [:])
    let properties = versions.map { box in
      // Most versions of a record are the same.
      if box !== known.box { known = (box, box.flatMap { Self.members($0.record)?.byKey } ?? [:]) }
      return known.members
    }
    weigh(Self.members(theirs.record), properties)
  }

  /// Compares a record or single value with its versions, if they differ.
  private mutating func weigh(_ members: [Item.Member]?, _ properties: [[ExactText: Item]]) {
    guard let members else { return }
    for member in members where member.value.isUnmistakable {
      let isSame = properties.map { Item.areSame($0[member.key], member.value) }
      guard let first = isSame.firstIndex(of: true) else { continue }
      earliest = max(earliest, first)
      for index in isSame.indices where !isSame[index] { isPlausible[index] = false }
    }
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
