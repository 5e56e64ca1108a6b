/// Updates a list after a change.
extension LiveList {
  /// The list for another version of the table, and the changes that led to it. O(changes · log n).
  func updated(from old: Table<Value>, to new: Table<Value>) -> LiveList<Value, Section>.Batch {
    var list = self
    var changes: [RowChange<Value>] = []
    for edit in new.edits(from: old) ?? [] {
      if let change = list.take(edit) { changes.append(change) }
    }
    var batch = Batch(before: self, after: list)
    if !changes.isEmpty { batch.fill(with: changes) }
    return batch
  }

  /// Applies the change of one record. Returns nil if the record does not match, and did not match before.
  private mutating func take(_ edit: RowEdit<Value>) -> RowChange<Value>? {
    let old = edit.old.flatMap { slice.matches($0) ? $0 : nil }
    let new = edit.new.flatMap { slice.matches($0) ? $0 : nil }
    guard old != nil || new != nil else { return nil }
    // If the old row exists and sorts the same, the new one replaces it, including its key.
    if let old, let new, row(old) == row(new), rows.updateValue((), forKey: row(new)) != nil {
      return RowChange(old: old, new: new)
    }
    let removed = old.flatMap { rows.removeValue(forKey: row($0)) == nil ? nil : $0 }
    if let removed { count(slice.section(removed), by: -1) }
    if let new, rows.updateValue((), forKey: row(new)) == nil { count(slice.section(new), by: 1) }
    return RowChange(old: removed, new: new)
  }

  /// Whether a row is in both lists, but under different sections.
  func isOtherSection(_ change: RowChange<Value>) -> Bool {
    guard let old = change.old, let new = change.new else { return false }
    return slice.sectionOrder.isBefore(slice.section(old), slice.section(new)) != nil
  }
}

/// A changed row, and its indexes in the old and the new list. An index is nil beyond the limit.
struct RowChange<Value: Record> {
  let old: RecordBox<Value>?
  let new: RecordBox<Value>?
  var oldIndex: Int?
  var newIndex: Int?

  init(old: RecordBox<Value>?, new: RecordBox<Value>?) {
    self.old = old
    self.new = new
  }

  var changesContent: Bool {
    guard let old, let new else { return true }
    return old.record != new.record
  }
}
