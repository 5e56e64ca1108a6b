/// Updates a list after a change.
extension LiveList {
  /// The list for another version of the table, and the changes that led to it. O(changes · log n).
  func updated(from old: Table<Value>, to new: Table<Value>) -> ListBatch<Value, Section> {
    var list = self
    var changes: [RowChange<Value, Section>] = []
    for edit in new.edits(from: old) ?? [] {
      if let change = list.take(edit) { changes.append(change) }
    }
    var batch = ListBatch(before: self, after: list)
    if !changes.isEmpty { batch.fill(with: changes) }
    return batch
  }

  /// Applies the change of one record. Returns nil if the record does not match, and did not match before.
  private mutating func take(_ edit: RowEdit<Value>) -> RowChange<Value, Section>? {
    let old = edit.old.flatMap { slice.matches($0) ? row($0) : nil }
    let new = edit.new.flatMap { slice.matches($0) ? row($0) : nil }
    guard old != nil || new != nil else { return nil }
    // If the old row exists and sorts the same, the new one replaces it, including its key.
    if let old, let new, old == new, rows.updateValue((), forKey: new) != nil { return RowChange(old: old, new: new) }
    let removed = old.flatMap { rows.removeValue(forKey: $0) == nil ? nil : $0 }
    if let removed { count(slice.section(removed.box), by: -1) }
    if let new, rows.updateValue((), forKey: new) == nil { count(slice.section(new.box), by: 1) }
    return RowChange(old: removed, new: new)
  }
}

/// A changed row, and its indexes in the old and the new list. An index is nil beyond the limit.
struct RowChange<Value: Record, Section: Comparable & Sendable> {
  let old: LiveRow<Value, Section>?
  let new: LiveRow<Value, Section>?
  var oldIndex: Int?
  var newIndex: Int?

  init(old: LiveRow<Value, Section>?, new: LiveRow<Value, Section>?) {
    self.old = old
    self.new = new
  }

  /// Whether the row is in both lists, but under different sections.
  var changesSection: Bool {
    guard let old, let new else { return false }
    let order = old.slice.sectionOrder
    return order.isBefore(old.slice.section(old.box), new.slice.section(new.box)) != nil
  }

  var changesContent: Bool {
    guard let old, let new else { return true }
    return old.box.record != new.box.record
  }
}
