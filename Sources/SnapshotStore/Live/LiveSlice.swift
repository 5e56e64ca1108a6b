/// The query of a live list: its condition, its order, its sections and its limit.
///
/// Each function receives one record, and must depend on it alone. The functions are made where the types of the keys
/// are known, so that no other code needs these types (`@inlinable`: decision 0026).
@usableFromInline
final class LiveSlice<Value: Record, Section: Comparable & Sendable>: Sendable {
  @usableFromInline let matches: @Sendable (RecordBox<Value>) -> Bool
  @usableFromInline let section: @Sendable (RecordBox<Value>) -> Section
  /// Orders the boxes of records.
  @usableFromInline let order: LiveOrder
  /// The matching records, in order.
  @usableFromInline let sorted: @Sendable (Table<Value>) -> HeldBoxes
  @usableFromInline let sectionOrder: RecordOrder
  @usableFromInline let limit: Int

  @inlinable
  init<Key: Comparable & Sendable>(
    where isIncluded: @escaping @Sendable (Value) -> Bool, sortedBy key: @escaping @Sendable (Value) -> Key,
    order: RecordOrder, sectionedBy section: @escaping @Sendable (Value) -> Section, sectionOrder: RecordOrder,
    limit: Int?
  ) {
    matches = { isIncluded($0.record) }
    self.section = { section($0.record) }
    // Reads both records in place. A copy would count all their references, which costs more than the comparison.
    self.order = LiveOrder { a, b in
      let (a, b) = (unsafeDowncast(a, to: RecordBox<Value>.self), unsafeDowncast(b, to: RecordBox<Value>.self))
      return sectionOrder.isBefore(section(a.record), section(b.record))
        ?? order.isBefore(key(a.record), key(b.record)) ?? order.isBefore(a.record.id, b.record.id) ?? false
    }
    let sorting = LiveSorting(
      isIncluded: isIncluded, key: key, order: order, section: section, sectionOrder: sectionOrder)
    sorted = { sorting.sorted($0) }
    self.sectionOrder = sectionOrder
    self.limit = max(0, limit ?? .max)
  }
}

extension Table {
  /// The records that differ by identity, in their old and new form, ascending by id. Nil if there are more than
  /// `limit`.
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

/// The old and the new form of a record.
struct RowEdit<Value: Record>: Sendable {
  var old: RecordBox<Value>?
  var new: RecordBox<Value>?
}

private struct TooManyEdits: Error {}

/// The section of lists without sections: it contains all records.
public struct NoSections: Comparable, Hashable, Sendable {
  @inlinable
  init() {}

  /// Always false, because all values are equal.
  @inlinable
  public static func < (a: NoSections, b: NoSections) -> Bool { false }
}
