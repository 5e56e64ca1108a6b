/// One record's change between two values of a table.
public enum RecordChange<Value: Record>: Equatable, Sendable {
  /// The record was not there before.
  case inserted(Value)
  /// The record is not what it was.
  case updated(before: Value, after: Value)
  /// The record is no longer there.
  case removed(Value)

  /// The record as it was.
  @inlinable public var before: Value? {
    switch self {
    case .inserted: nil
    case .updated(let before, _), .removed(let before): before
    }
  }

  /// The record as it is.
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
  /// What turns `old` into this table, in ascending order of ids. Records that are `==` are no change.
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

  /// Makes changes that were taken from another pair of values: inserts and updates put `after` in place, removals
  /// remove.
  ///
  /// - Throws: ``SnapshotError`` with code `uniqueKeyTaken` if a record fits no more; the table is then unchanged.
  @inlinable
  public mutating func apply(_ changes: some Collection<RecordChange<Value>>) throws(SnapshotError) {
    var copy = self
    // Everything is taken out first, because records may take keys that others had.
    for change in changes { copy.remove(change.id) }
    for change in changes {
      if let after = change.after { try copy.upsert(after) }
    }
    self = copy
  }
}
