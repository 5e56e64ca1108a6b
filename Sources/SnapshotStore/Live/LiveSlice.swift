/// What a live query asks of a table: which records, in which order, in which sections, and how many.
///
/// The functions see one record each and must be functions of it alone. They are made where the types of keys are known, so
/// that no one else needs to know them (`@inlinable`: decision 0026).
@usableFromInline
final class LiveSlice<Value: Record, Section: Comparable & Sendable>: Sendable {
  @usableFromInline let matches: @Sendable (RecordBox<Value>) -> Bool
  @usableFromInline let section: @Sendable (RecordBox<Value>) -> Section
  /// By section, then by key, then by id: a total order.
  @usableFromInline let isBefore: @Sendable (RecordBox<Value>, RecordBox<Value>) -> Bool
  /// The records that match, in order.
  @usableFromInline let sorted: @Sendable (Table<Value>) -> [RecordBox<Value>]
  @usableFromInline let sectionOrder: LiveOrder
  @usableFromInline let limit: Int

  @inlinable
  init<Key: Comparable & Sendable>(
    where isIncluded: @escaping @Sendable (Value) -> Bool, sortedBy key: @escaping @Sendable (Value) -> Key,
    order: LiveOrder, sectionedBy section: @escaping @Sendable (Value) -> Section, sectionOrder: LiveOrder, limit: Int?
  ) {
    let matches = { @Sendable (box: RecordBox<Value>) in isIncluded(box.record) }
    self.matches = matches
    self.section = { section($0.record) }
    // Without a copy of either record: counting all of its references would cost more than the comparison.
    isBefore = { a, b in
      sectionOrder.isBefore(section(a.record), section(b.record)) ?? order.isBefore(key(a.record), key(b.record))
        ?? order.isBefore(a.record.id, b.record.id) ?? false
    }
    sorted = { table in
      var rows: [(section: Section, key: Key, box: RecordBox<Value>)] = []
      for box in table.boxes where matches(box) { rows.append((section(box.record), key(box.record), box)) }
      rows.sort { a, b in
        sectionOrder.isBefore(a.section, b.section) ?? order.isBefore(a.key, b.key)
          ?? order.isBefore(a.box.record.id, b.box.record.id) ?? false
      }
      return rows.map(\.box)
    }
    self.sectionOrder = sectionOrder
    self.limit = max(0, limit ?? .max)
  }
}

extension Table {
  /// The records that are not the same in memory, each as it was and as it is, in ascending order of ids; nil if they are more
  /// than `limit`.
  func edits(from old: Table, limit: Int = .max) -> [RowEdit<Value>]? {
    var edits: [RowEdit<Value>] = []
    do {
      try tree.forEachDifference(from: old.tree, areSame: { $0 === $1 }) { _, old, new in
        if edits.count == limit { throw TooManyEdits() }
        edits.append(RowEdit(old: old, new: new))
      }
    } catch {
      return nil
    }
    return edits
  }
}

/// A record as it was and as it is.
struct RowEdit<Value: Record>: Sendable {
  var old: RecordBox<Value>?
  var new: RecordBox<Value>?
}

private struct TooManyEdits: Error {}
