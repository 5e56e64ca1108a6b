// Compares values by their written bytes, not by `==`. A record's `==` may treat values as equal that are written
// differently: texts in two Unicode forms, `-0.0` and `0.0`. And a record with a NaN differs from itself.

/// Comparison of records by their written form.
extension Table.Box {
  /// Whether two records are written in the same way. If one cannot be written, `==` decides.
  ///
  /// - Parameter keys: the properties in which the records may differ.
  static func areStoredAlike(_ a: Table.Box?, _ b: Table.Box?, ignoring keys: Set<ExactText> = []) -> Bool {
    guard let a, let b else { return (a == nil) == (b == nil) }
    if a === b { return true }
    guard let first = try? ItemEncoder.item(forRecord: a.record),
      let second = try? ItemEncoder.item(forRecord: b.record)
    else { return a.record == b.record }
    return Item.areSame(first.removing(keys), second.removing(keys))
  }
}

extension Item {
  /// A dictionary without some of its keys.
  fileprivate func removing(_ keys: Set<ExactText>) -> Item {
    guard !keys.isEmpty, case .dictionary(let members) = content else { return self }
    return Item(.dictionary(members.filter { !keys.contains($0.key) }))
  }
}

extension Table {
  /// A record that differs between two tables, or that only one of them has.
  struct StoredChange: Sendable {
    let id: ID
    let before: RecordBox<Value>?
    let after: RecordBox<Value>?
  }

  /// The records whose written form differs from another table, ascending by id. Records with different boxes are
  /// encoded, on all processors.
  func storedChanges(from old: Table) -> [StoredChange] {
    let pairs = changedBoxes(since: old)
    let parts = Parallel.map(over: pairs.count, atLeast: 256, threads: Parallel.defaultThreads) { range in
      pairs[range].filter { !RecordBox.areStoredAlike($0.before, $0.after) }
    }
    return parts.flatMap { $0 }
  }

  /// Whether every record is written as in another table. Stops at the first difference.
  ///
  /// - Parameter ignoresDates: whether dates of change may differ. `mergeRules` name them.
  func isStoredLike(_ other: Table, ignoresDates: Bool = false) -> Bool {
    let keys = ignoresDates ? Value.dateKeys : []
    do {
      try tree.forEachDifference(from: other.tree, areSame: { $0 === $1 }) { _, before, after in
        if !RecordBox.areStoredAlike(before, after, ignoring: keys) { throw DifferenceFound() }
      }
      return true
    } catch {
      return false
    }
  }

  /// Whether every record equals one of another table and is written as it is. Stops at the first that is not equal.
  /// Records with different boxes are encoded, on all processors.
  func hasSameRecords(as other: Table) -> Bool {
    guard count == other.count else { return false }
    var pairs: [(RecordBox<Value>, RecordBox<Value>)] = []
    do {
      try tree.forEachDifference(from: other.tree, areSame: { $0 === $1 }) { _, before, after in
        guard let before, let after, before.record == after.record else { throw DifferenceFound() }
        pairs.append((before, after))
      }
    } catch {
      return false
    }
    return Parallel.map(over: pairs.count, atLeast: 256, threads: Parallel.defaultThreads) { [pairs] range in
      pairs[range].allSatisfy { RecordBox.areStoredAlike($0.0, $0.1) }
    }.allSatisfy { $0 }
  }

  /// The records whose boxes differ from another table's, ascending by id.
  func changedBoxes(since old: Table) -> [StoredChange] {
    var pairs: [StoredChange] = []
    tree.forEachDifference(from: old.tree, areSame: { $0 === $1 }) { id, before, after in
      pairs.append(StoredChange(id: id, before: before, after: after))
    }
    return pairs
  }
}

/// Thrown to end a comparison.
struct DifferenceFound: Error {}

extension Model {
  /// Whether all tables and single values are written as in another value. O(changes · log n) if one value was made
  /// from the other.
  ///
  /// - Parameter ignoresDates: whether dates of change may differ. ``Record/mergeRules`` name them.
  func isStoredLike(_ other: Self, ignoresDates: Bool = false) -> Bool {
    var comparison = StoredComparison(a: self, b: other, ignoresDates: ignoresDates)
    Self.schema.visit(&comparison)
    return comparison.areSame
  }
}

extension SnapshotContent {
  /// Whether the unknown content is written as in another content. That of records that are gone is not written. O(1)
  /// if one is a copy of the other.
  func hasSameUnknown(as other: SnapshotContent) -> Bool {
    if unknown.isSame(as: other.unknown) { return true }
    guard unknown.hasSameWholes(as: other.unknown) else { return false }
    var comparison = UnknownComparison(a: self, b: other)
    Root.schema.visit(&comparison)
    return comparison.areSame
  }
}

/// Compares the unknown members of records and single values.
private struct UnknownComparison<Root: Model>: FieldVisitor {
  let a: SnapshotContent<Root>
  let b: SnapshotContent<Root>
  var areSame = true

  mutating func visit<Value>(_ name: String, _ path: TablePath<Root, Value>) {
    if !areSame { return }
    let (first, second) = (Self.members(a, name, path), Self.members(b, name, path))
    areSame = first.count == second.count && first.allSatisfy { Item.areSame($1, second[$0] ?? []) }
  }

  private static func members<Value>(
    _ content: SnapshotContent<Root>, _ name: String, _ path: TablePath<Root, Value>
  ) -> [Value.ID: [Item.Member]] {
    let members = content.unknown.members(in: name, of: Value.self)
    if members.isEmpty { return [:] }
    let table = content.value[keyPath: path]
    return members.filter { table.contains($0.key) }
  }

  mutating func visit<Value>(_ name: String, value path: ValuePath<Root, Value>) {
    areSame = areSame && Item.areSame(a.unknown.members(ofValue: name), b.unknown.members(ofValue: name))
  }
}

extension UnknownContent {
  /// Whether the tables and single values are written as in another content.
  fileprivate func hasSameWholes(as other: UnknownContent) -> Bool {
    let (mine, others) = (tables.map { Item(.array($0.items)) }, other.tables.map { Item(.array($0.items)) })
    return names == other.names && tables.count == other.tables.count
      && zip(mine, others).allSatisfy { Item.areSame($0, $1) }
      && zip(values, other.values).allSatisfy { Item.areSame($0.item, $1.item) }
  }
}

extension Item {
  fileprivate static func areSame(_ a: [Member], _ b: [Member]) -> Bool {
    areSame(Item(.dictionary(a)), Item(.dictionary(b)))
  }
}

private struct StoredComparison<Root: Model>: FieldVisitor {
  let a: Root
  let b: Root
  let ignoresDates: Bool
  var areSame = true

  mutating func visit<Value>(_ name: String, _ table: TablePath<Root, Value>) {
    areSame = areSame && a[keyPath: table].isStoredLike(b[keyPath: table], ignoresDates: ignoresDates)
  }

  mutating func visit<Value>(_ name: String, value: ValuePath<Root, Value>) {
    areSame = areSame && SingleValueCoding.areStoredAlike(a[keyPath: value], b[keyPath: value])
  }
}
