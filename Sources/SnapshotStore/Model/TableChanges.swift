/// The change of one record between two versions of a table.
///
/// ```swift
/// for change in changes.changes(in: \.posts) {
///   switch change {
///   case .inserted(let post): print("new: \(post.title)")
///   case .updated(let old, let new): print("\(old.title) is \(new.title)")
///   case .removed(let post): print("gone: \(post.title)")
///   }
/// }
/// ```
public enum RecordChange<Value: Record>: Equatable, Sendable {
  /// Only the new version has the record.
  case inserted(Value)
  /// Both versions have the record, and it differs.
  case updated(before: Value, after: Value)
  /// Only the old version has the record.
  case removed(Value)

  /// The old record.
  @inlinable public var before: Value? {
    switch self {
    case .inserted: nil
    case .updated(let before, _), .removed(let before): before
    }
  }

  /// The new record.
  @inlinable public var after: Value? {
    switch self {
    case .removed: nil
    case .updated(_, let after), .inserted(let after): after
    }
  }

  /// The id of the record.
  @inlinable public var id: Value.ID {
    switch self {
    case .inserted(let record), .removed(let record), .updated(_, let record): record.id
    }
  }
}

extension Table {
  /// The changes from `old` to this table, in ascending order of ids. Records that are equal by `==` are no change.
  ///
  /// O(changes · log n) if one of the two was made from the other, O(n) otherwise.
  @inlinable
  public func changes(from old: Table) -> [RecordChange<Value>] {
    var changes: [RecordChange<Value>] = []
    let areSame = { (a: RecordBox<Value>, b: RecordBox<Value>) in a === b || a.record == b.record }
    tree.forEachDifference(from: old.tree, areSame: areSame) { _, old, new in
      switch (old?.record, new?.record) {
      case (nil, let new?): changes.append(.inserted(new))
      case (let old?, nil): changes.append(.removed(old))
      case (let old?, let new?): changes.append(.updated(before: old, after: new))
      case (nil, nil): break
      }
    }
    return changes
  }

  /// Applies changes from another pair of tables. Inserts and updates put `after` in place, and removals remove the
  /// record.
  ///
  /// - Throws: ``SnapshotError`` with code `uniqueKeyTaken` if a record does not fit. The table is then unchanged.
  @inlinable
  public mutating func apply(_ changes: some Collection<RecordChange<Value>>) throws(SnapshotError) {
    var copy = self
    // All records are removed first, because records may take keys that others had.
    for change in changes { copy.remove(change.id) }
    for change in changes {
      if let after = change.after { try copy.upsert(after) }
    }
    self = copy
  }
}
