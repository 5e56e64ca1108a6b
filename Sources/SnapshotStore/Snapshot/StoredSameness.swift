// Whether values are written as the same bytes. `==` is not asked, since it may hold texts in two Unicode forms, `-0.0` and `0.0`, or
// whatever a record's own `==` says, to be the same; and a record with a NaN to differ from itself.

/// A record changed if it is written in another way.
extension RecordBox {
  /// Whether two records are written in the same way; of one that cannot be written, whether `==` says so.
  ///
  /// - Parameter keys: properties in which they may differ.
  static func areStoredAlike(_ a: RecordBox?, _ b: RecordBox?, ignoring keys: Set<ExactText> = []) -> Bool {
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
  /// A record that two tables have in different ways, or only one of them.
  struct StoredChange: Sendable {
    let id: ID
    let before: RecordBox<Value>?
    let after: RecordBox<Value>?
  }

  /// The records that are not written as in another table, ascending by id. Those that are in other boxes are encoded, on all
  /// processors.
  func storedChanges(from old: Table) -> [StoredChange] {
    let pairs = changedBoxes(since: old)
    let parts = Parallel.map(over: pairs.count, atLeast: 256, threads: Parallel.defaultThreads) { range in
      pairs[range].filter { !RecordBox.areStoredAlike($0.before, $0.after) }
    }
    return parts.flatMap { $0 }
  }

  /// Whether every record is written as in another table. Stops at the first that is not.
  ///
  /// - Parameter ignoresDates: whether dates of changes, as `mergeRules` names them, may differ.
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

  /// The records that are in other boxes than in another table, ascending by id.
  func changedBoxes(since old: Table) -> [StoredChange] {
    var pairs: [StoredChange] = []
    tree.forEachDifference(from: old.tree, areSame: { $0 === $1 }) { id, before, after in
      pairs.append(StoredChange(id: id, before: before, after: after))
    }
    return pairs
  }
}

/// Ends a comparison.
private struct DifferenceFound: Error {}

extension Model {
  /// Whether every table and single value is written as that of another value. O(changes · log n) if one value was made from the other.
  ///
  /// - Parameter ignoresDates: whether dates of changes, as ``Record/mergeRules`` names them, may differ.
  func isStoredLike(_ other: Self, ignoresDates: Bool = false) -> Bool {
    var comparison = StoredComparison(a: self, b: other, ignoresDates: ignoresDates)
    Self.schema.visit(&comparison)
    return comparison.areSame
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
