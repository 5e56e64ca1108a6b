/// How a list follows a change.
extension LiveList {
  /// The list of another version of the table, and how it came about. O(changes · log n).
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

  /// Takes over the change of one record; nil if the record does not match, and has not.
  private mutating func take(_ edit: RowEdit<Value>) -> RowChange<Value, Section>? {
    let old = edit.old.flatMap { slice.matches($0) ? row($0) : nil }
    let new = edit.new.flatMap { slice.matches($0) ? row($0) : nil }
    guard old != nil || new != nil else { return nil }
    // Where the old row is, the new one takes its place, key and all.
    if let old, let new, old == new, rows.updateValue((), forKey: new) != nil { return RowChange(old: old, new: new) }
    let removed = old.flatMap { rows.removeValue(forKey: $0) == nil ? nil : $0 }
    if let removed { count(slice.section(removed.box), by: -1) }
    if let new, rows.updateValue((), forKey: new) == nil { count(slice.section(new.box), by: 1) }
    return RowChange(old: removed, new: new)
  }
}

/// A row of a list that changed, and where it stands in the lists before and after; nowhere, if that is beyond the limit.
struct RowChange<Value: Record, Section: Comparable & Sendable> {
  let old: LiveRow<Value, Section>?
  let new: LiveRow<Value, Section>?
  var oldIndex: Int?
  var newIndex: Int?

  init(old: LiveRow<Value, Section>?, new: LiveRow<Value, Section>?) {
    self.old = old
    self.new = new
  }

  /// Whether it is in the list before and after, but under another section.
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
